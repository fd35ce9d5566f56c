import { parse, readChoice, readSize, readWhole } from './command-line.mjs';

/** The parts by letter, in the order in which they run. */
export const partLetters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'];

export const help = `Usage: npm run bench -- [options]

Measures the product against references in the same run, alternating, and prints the medians as ratios beside goals.

  a  expressions against jsonata, one call a pair
  b  the batch loop against awaiting jsonata
  c  block + score, and read + block + score, against DuckDB on 2 threads
  d  ingest, and jobs from POST to completed, by stage, against DuckDB
  e  the match writer against raw COPY
  f  one and two matching workers
  g  the search for the members of a composite, against enumerating subsets
  h  webhooks: deliveries a second, behind a backlog, beside a dead receiver
  i  one-to-one assignment: a pair that loses, against a plain update, and jobs with it, against jobs without
  j  reconciliations: runs beside a million held items, open items, matches by hand, the audit chain
  k  suggested rule sets: precision, recall and F1 on generated records with known partners, what answers add, and
     what a suggestion and a simulation cost
  l  reading a CSV, detection included, against a bare loop over its lines
  m  the most similar titles of 100k x 100k, against PostgreSQL's trigram index
  n  tieout compare from start to end, against DuckDB loading and joining the same files

Options:
  --quick             10k and 100k records a side, fewer rounds and, unless --only names it, no part h: in two minutes
  --size 10k,100k,1M  records a side (default 10k,100k,1M); a, b, e, f, i, j, l and m use what they need, g and h none
  --only a,b,…        only these parts
  --rounds N          rounds of each measurement (default 5, with --quick 2)
  --write-results     writes bench/RESULTS.md
  --help              this text`;

const readPart = (text) => readChoice('only', text, partLetters);

const list = (text, readOne) => [...new Set(text.split(',').map((item) => readOne(item.trim())))];

/**
 * @param {string[]} args
 * @throws UsageError
 * @returns {{ help: boolean, quick: boolean, sizes: number[], parts: string[], rounds: number, writeResults: boolean }}
 */
export function readOptions(args) {
  const values = parse(args, {
    quick: { type: 'boolean', default: false },
    size: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    'write-results': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  const sizes = list(values.size ?? (values.quick ? '10k,100k' : '10k,100k,1M'), readSize);
  return {
    help: values.help,
    quick: values.quick,
    sizes: sizes.sort((a, b) => a - b),
    parts: partLetters.filter((letter) =>
      values.only === undefined ? !values.quick || letter !== 'h' : list(values.only, readPart).includes(letter),
    ),
    rounds: values.rounds === undefined ? (values.quick ? 2 : 5) : readWhole('rounds', values.rounds, 100),
    writeResults: values['write-results'],
  };
}
