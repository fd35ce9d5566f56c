import { parseArgs } from 'node:util';

/** The parts by letter, in the order in which they run. */
export const partLetters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export const help = `Usage: npm run bench -- [options]

Measures the product against references in the same run, by turns, and prints the medians as ratios beside their goals.

  a  expressions against jsonata, one call a pair
  b  the batch loop against awaiting jsonata
  c  block + score, and read + block + score, against DuckDB on 2 threads
  d  ingest, and jobs from POST to completed, by stage, against DuckDB
  e  the match writer against raw COPY
  f  one and two matching workers
  g  the search for the members of a composite, against enumerating subsets
  h  webhooks: deliveries a second, behind a backlog, beside a dead receiver

Options:
  --quick             10k and 100k records a side and fewer rounds, in under two minutes
  --size 10k,100k,1M  records a side (default 10k,100k,1M); parts a, b, e and f take no more than they need, g and h none
  --only a,b,…        only these parts
  --rounds N          rounds of each measurement (default 5, with --quick 2)
  --write-results     writes bench/RESULTS.md
  --help              this text`;

/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {}

const units = { '': 1, k: 1_000, M: 1_000_000 };

function readSize(text) {
  const parsed = /^(\d+)(k|M|)$/.exec(text);
  const size = parsed ? Number(parsed[1]) * units[parsed[2]] : NaN;
  if (!(size >= 1_000 && size <= 2_000_000)) throw new UsageError(`--size: "${text}" is no number of records from 1k to 2M`);
  return size;
}

function readPart(text) {
  if (!partLetters.includes(text)) throw new UsageError(`--only: there is no part "${text}" (${partLetters.join(', ')})`);
  return text;
}

function readRounds(text) {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) throw new UsageError(`--rounds: "${text}" is no whole number from 1 to 100`);
  return rounds;
}

const list = (text, readOne) => [...new Set(text.split(',').map((item) => readOne(item.trim())))];

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        size: { type: 'string' },
        only: { type: 'string' },
        rounds: { type: 'string' },
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
 * @returns {{ help: boolean, quick: boolean, sizes: number[], parts: string[], rounds: number, writeResults: boolean }}
 */
export function readOptions(args) {
  const values = parse(args);
  const sizes = list(values.size ?? (values.quick ? '10k,100k' : '10k,100k,1M'), readSize);
  return {
    help: values.help,
    quick: values.quick,
    sizes: sizes.sort((a, b) => a - b),
    parts: partLetters.filter((letter) => (values.only === undefined ? partLetters : list(values.only, readPart)).includes(letter)),
    rounds: values.rounds === undefined ? (values.quick ? 2 : 5) : readRounds(values.rounds),
    writeResults: values['write-results'],
  };
}

/** 10000 as "10k". */
export function sizeText(size) {
  if (size % units.M === 0) return `${size / units.M}M`;
  return size % units.k === 0 ? `${size / units.k}k` : String(size);
}
