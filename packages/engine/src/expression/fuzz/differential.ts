import jsonata from 'jsonata';
import { compileExpression } from '../compile';
import { ExpressionError } from '../error';
import { walk } from '../syntax';
import type { SyntaxNode } from '../syntax';
import { randomExpression } from './expressions';
import type { Mode } from './expressions';
import { minimise } from './minimise';
import { createOracle, describe, describeOutcome, outcomeOf, WIDE_LIMITS } from './oracle';
import type { Outcome } from './oracle';
import { createRandom } from './random';
import type { Random } from './random';
import { dirtyRecord, smallerData } from './records';
import { render, smallerTerms } from './term';
import type { Term } from './term';

export interface Difference {
  seed: number;
  backEnd: string;
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
  /** Both fail, with codes of different members of one constructor. */
  siblings: number;
}

export const BACK_ENDS = { code: { codeGeneration: true }, closures: { codeGeneration: false } };
export type BackEnd = keyof typeof BACK_ENDS;

const INPUTS_EACH = 3;

interface Case {
  root: Term;
  input: unknown;
}

/** Runs one random expression over a few dirty inputs, through both back ends and jsonata itself. */
export async function fuzzExpression(seed: number, tally: Tally): Promise<Difference | null> {
  const random = createRandom(seed);
  const mode = random.pick<Mode>(['pair', 'pair', 'record']);
  const root = randomExpression(random, mode);
  if (!isSyntax(render(root))) return null;
  tally.expressions += 1;
  for (const input of random.list(INPUTS_EACH, INPUTS_EACH, () => randomInput(random, mode))) {
    for (const backEnd of ['code', 'closures'] as const) {
      const found = await compareOn(backEnd, { root, input }, tally);
      if (found !== null) return { seed, ...(await smallest(backEnd, { root, input })) };
    }
  }
  return null;
}

export function newTally(): Tally {
  return { expressions: 0, compiled: 0, evaluations: 0, errors: 0, nothing: 0, siblings: 0 };
}

function randomInput(random: Random, mode: Mode): unknown {
  return mode === 'record' ? dirtyRecord(random) : { left: dirtyRecord(random), right: dirtyRecord(random) };
}

function isSyntax(source: string): boolean {
  try {
    compileExpression(source, WIDE_LIMITS);
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

type Found = Omit<Difference, 'seed'>;

async function compareOn(backEnd: BackEnd, { root, input }: Case, tally: Tally): Promise<Found | null> {
  const source = render(root);
  const expression = compileExpression(source, { ...WIDE_LIMITS, ...BACK_ENDS[backEnd] });
  const given = structuredClone(input);
  const actual = await outcomeOf(() => expression.evaluate(given));
  const expected = await createOracle(source)(input);
  count(tally, expected, expression.mode);
  const found = { backEnd: `${backEnd} (${expression.mode})`, source, input: describe(input) };
  if (describe(given) !== describe(input)) return { ...found, expected: 'an input that stays as it is', actual: describe(given) };
  if (describeOutcome(actual) === describeOutcome(expected)) return null;
  if ('code' in actual && 'code' in expected && hasSiblings(source)) {
    tally.siblings += 1;
    return null;
  }
  return { ...found, expected: describeOutcome(expected), actual: describeOutcome(actual) };
}

function count(tally: Tally, expected: Outcome, mode: 'compiled' | 'reference'): void {
  tally.evaluations += 1;
  if (mode === 'compiled') tally.compiled += 1;
  if ('code' in expected) tally.errors += 1;
  else if (expected.value === undefined) tally.nothing += 1;
}

/** jsonata evaluates the members of a constructor side by side: which of two errors comes first is not defined. */
function hasSiblings(source: string): boolean {
  let found = false;
  walk(jsonata(source).ast() as unknown as SyntaxNode, ({ node }) => {
    if (node.type === 'unary' && (node.expressions?.length ?? 0) > 1) found = true;
    if (node.type === 'unary' && Array.isArray(node.lhs) && node.lhs.length > 1) found = true;
    if (node.group !== undefined) found = true;
  });
  return found;
}

async function smallest(backEnd: BackEnd, failing: Case): Promise<Found> {
  const fails = async (candidate: Case): Promise<boolean> =>
    isSyntax(render(candidate.root)) && (await compareOn(backEnd, candidate, newTally())) !== null;
  const cut = await minimise(failing, smallerCases, fails);
  const found = await compareOn(backEnd, cut, newTally());
  if (found === null) throw new Error(`${render(cut.root)} does not fail twice`);
  return found;
}

function* smallerCases({ root, input }: Case): Generator<Case> {
  for (const smaller of smallerTerms(root)) yield { root: smaller, input };
  for (const smaller of smallerData(input)) yield { root, input: smaller };
}
