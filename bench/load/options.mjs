import { parse, readChoice, readSize, readWhole, UsageError } from '../command-line.mjs';

/** The measurements, in the order in which they run. */
export const parts = ['post', 'read', 'job'];
const backends = ['postgres', 'redis'];

export const help = `Usage: npm run load -- [options]

Sends requests from this machine over the given number of connections, each waiting for an answer before it sends the
next request, and prints the results beside the goals. Without --url it starts a whole service of its own, in its own
directory, with the embedded PostgreSQL, and removes it afterwards.

  post  POST /v1/records; afterwards every acknowledged record must exist once, and be ready
  read  GET /v1/records/{id} alone, then alternating with GET /v1/records?dataset=&limit=25 and
        GET /v1/matches?matchingJobId=&limit=25
  job   both again, beside a matching job

Options:
  --only post,read,job  only these parts
  --seconds N           of each measurement (default 15)
  --connections N       (default 50)
  --size 100k           records on each side of the job, which are also those that are read (default 100k)
  --backend NAME        queues of the started service: postgres (default) or redis, which must be installed
  --url http://…        measures a running service, as the tenant of the API key in the environment variable
                        LOAD_API_KEY, and leaves the data it made there. The rate limits must allow it.
  --write-results       writes bench/LOAD.md
  --help                this text`;

function readUrl(text) {
  if (text === undefined) return null;
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
    throw new UsageError(`--url: "${text}" is not an http URL`);
  return new URL(text).origin;
}

/**
 * @param {string[]} args
 * @throws UsageError
 * @returns {{ help: boolean, parts: string[], seconds: number, connections: number, size: number, backend: string, url:
 *   string | null, writeResults: boolean }}
 */
export function readOptions(args) {
  const values = parse(args, {
    only: { type: 'string', default: parts.join(',') },
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '50' },
    size: { type: 'string', default: '100k' },
    backend: { type: 'string', default: 'postgres' },
    url: { type: 'string' },
    'write-results': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
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
