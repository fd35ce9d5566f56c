import { compileExpression } from '../src/expression/compile';
import { ExpressionError } from '../src/expression/error';
import type { Expression } from '../src/expression/types';
import { forbidCodeGeneration } from './code-generation';
import { randomExpression } from './expressions';
import type { Mode } from './expressions';
import { minimise } from './minimise';
import { createOracle, describe, describeOutcome, hasSiblings, isOurLimit, outcomeOf, wideLimits } from './oracle';
import type { OracleOutcome } from './oracle';
import { createRandom } from './random';
import type { Random } from './random';
import { dirtyRecord, smallerData } from './records';
import { render, smallerTerms } from './term';
import type { Term } from './term';

export interface Difference {
  seed: number;
  /** The evaluator that differs. */
  mode: Expression['mode'];
  source: string;
  input: string;
  expected: string;
  actual: string;
}

export interface Tally {
  expressions: number;
  compiled: number;
  evaluations: number;
  errors: number;
  nothing: number;
  /** Both evaluations fail, with the error codes of different members of one constructor. */
  siblings: number;
}

const inputsEach = 3;

interface Case {
  root: Term;
  input: unknown;
}

/** Runs one random expression over a few dirty inputs: compiled, by the reference and by jsonata itself. */
export async function fuzzExpression(seed: number, tally: Tally): Promise<Difference | null> {
  const random = createRandom(seed);
  const mode = random.pick<Mode>(['pair', 'pair', 'record']);
  const root = randomExpression(random, mode);
  const subject = createSubject(render(root));
  if (subject === null) return null;
  tally.expressions++;
  for (const input of random.list(inputsEach, inputsEach, () => randomInput(random, mode))) {
    if ((await differenceOf(subject, input, tally)) !== null) return { seed, ...(await smallest({ root, input })) };
  }
  return null;
}

export function newTally(): Tally {
  return { expressions: 0, compiled: 0, evaluations: 0, errors: 0, nothing: 0, siblings: 0 };
}

function randomInput(random: Random, mode: Mode): unknown {
  return mode === 'record' ? dirtyRecord(random) : { left: dirtyRecord(random), right: dirtyRecord(random) };
}

/** One expression, ready to run in each way. */
interface Subject {
  source: string;
  hasSiblings: boolean;
  ours: readonly Expression[];
  oracle(input: unknown): Promise<OracleOutcome>;
}

/** Null for a term that is not an expression. */
function createSubject(source: string): Subject | null {
  try {
    const expression = compileExpression(source, wideLimits);
    const ours = expression.mode === 'compiled' ? [expression, compileWithoutCode(source)] : [expression];
    return { source, hasSiblings: hasSiblings(source), ours, oracle: createOracle(source) };
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

function compileWithoutCode(source: string): Expression {
  const allow = forbidCodeGeneration();
  try {
    return compileExpression(source, wideLimits);
  } finally {
    allow();
  }
}

type Found = Omit<Difference, 'seed'>;

async function differenceOf(subject: Subject, input: unknown, tally: Tally): Promise<Found | null> {
  const wanted = await subject.oracle(input);
  for (const { mode, evaluate } of subject.ours) {
    const given = structuredClone(input);
    const actual = await outcomeOf(() => evaluate(given));
    count(tally, wanted, mode);
    const found = { mode, source: subject.source, input: describe(input) };
    if (describe(given) !== describe(input))
      return { ...found, expected: 'an input that stays as it is', actual: describe(given) };
    const [expected, got] = [describeOutcome(wanted), describeOutcome(actual)];
    if (expected === got) continue;
    if (!('code' in actual && 'code' in wanted)) return { ...found, expected, actual: got };
    if (isOurLimit(actual.code, wanted.code)) continue;
    if (!subject.hasSiblings) return { ...found, expected, actual: got };
    tally.siblings++;
  }
  return null;
}

function count(tally: Tally, wanted: OracleOutcome, mode: Expression['mode']): void {
  tally.evaluations++;
  if (mode === 'compiled') tally.compiled++;
  if ('code' in wanted) tally.errors++;
  else if (wanted.value === undefined) tally.nothing++;
}

async function smallest(failing: Case): Promise<Found> {
  const check = async ({ root, input }: Case): Promise<Found | null> => {
    const subject = createSubject(render(root));
    return subject === null ? null : differenceOf(subject, input, newTally());
  };
  const cut = await minimise(failing, smallerCases, async (candidate) => (await check(candidate)) !== null);
  const found = await check(cut);
  if (found === null) throw new Error(`${render(cut.root)} does not differ twice`);
  return found;
}

function* smallerCases({ root, input }: Case): Generator<Case> {
  for (const smaller of smallerTerms(root)) yield { root: smaller, input };
  for (const smaller of smallerData(input)) yield { root, input: smaller };
}
