import { parseArgs } from 'node:util';

/** What can be measured, in the order in which it is. */
export const parts = ['post', 'read', 'job'];
const backends = ['postgres', 'redis'];

export const help = `Usage: npm run load -- [options]

Sends requests from this machine, from as many connections as are asked for, each waiting for its answer before it sends the
next one, and prints what came back beside the goals. Without --url it starts the whole service for itself, in a directory of
its own, with the embedded PostgreSQL; nothing of it is left.

  post  POST /v1/records; afterwards every record that was acknowledged is looked for: there once, and ready
  read  GET /v1/records/{id}, GET /v1/records?dataset=&limit=25, GET /v1/matches?matchingJobId=&limit=25, one after the other
  job   both again, beside a matching job

Options:
  --only post,read,job  only these parts
  --seconds N           of each measurement (default 15)
  --connections N       (default 50)
  --size 100k           records on each side of the job, which are also those that are read (default 100k)
  --backend NAME        where the service of its own keeps its queues: postgres (default) or redis, which must be installed
  --url http://…        measures a service that runs already; it takes the tenant of the API key in the environment variable
                        LOAD_API_KEY, and leaves what it has made there. Its rate limits must allow for it.
  --write-results       writes bench/LOAD.md
  --help                this text`;

/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {}

const units = { '': 1, k: 1_000, M: 1_000_000 };

function readSize(text) {
  const parsed = /^(\d+)(k|M|)$/.exec(text);
  const size = parsed ? Number(parsed[1]) * units[parsed[2]] : NaN;
  if (!(size >= 1_000 && size <= 2_000_000)) throw new UsageError(`--size: "${text}" is no number of records from 1k to 2M`);
  return size;
}

function readWhole(name, text, most) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most) throw new UsageError(`--${name}: "${text}" is no whole number from 1 to ${most}`);
  return number;
}

function readChoice(name, text, known) {
  if (!known.includes(text)) throw new UsageError(`--${name}: there is no "${text}" (${known.join(', ')})`);
  return text;
}

function readUrl(text) {
  if (text === undefined) return null;
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) throw new UsageError(`--url: "${text}" is no http URL`);
  return new URL(text).origin;
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: 'string', default: parts.join(',') },
        seconds: { type: 'string', default: '15' },
        connections: { type: 'string', default: '50' },
        size: { type: 'string', default: '100k' },
        backend: { type: 'string', default: 'postgres' },
        url: { type: 'string' },
        'write-results': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/**
 * @param {string[]} args
 * @throws UsageError
 * @returns {{ help: boolean, parts: string[], seconds: number, connections: number, size: number, backend: string, url: string | null, writeResults: boolean }}
 */
export function readOptions(args) {
  const values = parse(args);
  const chosen = values.only.split(',').map((text) => readChoice('only', text.trim(), parts));
  return {
    help: values.help,
    parts: parts.filter((part) => chosen.includes(part)),
    seconds: readWhole('seconds', values.seconds, 3_600),
    connections: readWhole('connections', values.connections, 10_000),
    size: readSize(values.size),
    backend: readChoice('backend', values.backend, backends),
    url: readUrl(values.url),
    writeResults: values['write-results'],
  };
}
