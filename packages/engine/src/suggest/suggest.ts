import { compileExpression } from '../expression/compile';
import { ExpressionError } from '../expression/error';
import { runToEnd } from '../values/steps';
import type { JsonObject, Side } from '../values/types';
import { alignFields } from './align';
import { findAnchors, keyAnchors, type Anchor, type AnchorAmounts, type AnchorDays, type Sides } from './anchors';
import { assemble, unconnected } from './assemble';
import { findBlocking, type FoundBlocking } from './blocking';
import { codeComparison, comparisonsOf, expressionOf, isTitle, isName } from './comparisons';
import { copiesOf } from './copies';
import { profileFields, spread, textAt } from './fields';
import { learn } from './model';
import { hasKey } from './pair-keys';
import { textFacts } from './text-facts';
import {
  isFew,
  type Comparison,
  type FieldPair,
  type FieldProfile,
  type PairSample,
  type SuggestInput,
  type Suggestion,
} from './types';
import { levelsOf, withoutUnseen } from './unseen-levels';
import { suggestionWarnings } from './warnings';
import { bestWindows } from './windows';

const minCodeShare = 0.15;
const maxComparisons = 16;
const backgroundPairs = 60_000;
/** Pairs that are compared before the event loop runs other work. */
const pairsPerYield = 8_192;

/** Suggests a rule set that matches two datasets, from their records alone. The same records give the same answer. */
export function suggestRuleSet(input: SuggestInput): Suggestion {
  return runToEnd(suggestSteps(input));
}

/** Does the same in steps of a bounded number of comparisons, each of which gives the progress, 0..1. */
export function* suggestSteps(input: SuggestInput): Generator<number, Suggestion, void> {
  const suggestion = yield* search(input);
  return { ...suggestion, warnings: [...suggestion.warnings, ...suggestionWarnings(input, suggestion)] };
}

function* search(input: SuggestInput): Generator<number, Suggestion, void> {
  const sides: Sides = { left: input.left, right: input.right };
  const { onStep = () => undefined } = input;
  if (input.isOneSide === true && sides.left.length + sides.right.length === 1)
    return unconnected('the dataset has one record, which cannot be compared with itself', []);
  const profiles = { left: profileFields(sides.left), right: profileFields(sides.right) };
  for (const side of ['left', 'right'] as const) {
    if (sides[side].length === 0) return unconnected(`the ${side} one has no records`, []);
    if (profiles[side].length === 0)
      return unconnected(`no field of the ${side} one has single values that differ between records`, []);
  }
  yield 0.05;
  const pairs = alignFields(sides, profiles);
  if (pairs.length === 0) return unconnected('no field of one has values like those of a field of the other', []);
  const anchors = findAnchors(sides, profiles, pairs);
  yield 0.1;
  const best = bestWindows(sides, anchors, pairs);
  const { amount } = best;
  const date = inBothDirections(best.date, input);
  const alone = {
    left: unpaired(profiles.left, pairs, 'left'),
    right: unpaired(profiles.right, pairs, 'right'),
  };
  // Among few records equal amounts are few, and a window of days would hide partners on days that are seldom.
  const windows = { amount, date: amount !== null && isFew(input) && (date?.share ?? 1) < 1 ? null : date };
  const facts = { windows, pairs, alone, anchors, totals: input.totals };
  const blocking = yield* findBlocking(sides, facts, onStep);
  if (blocking === null || blocking.lefts.length === 0)
    return unconnected('no pair of records has similar values in the fields that correspond', pairs);
  yield 0.35;
  const comparisons = chooseComparisons(sides, pairs, alone, { amount, date });
  yield 0.4;
  const sample = yield* compareAll(
    sides,
    { ...blocking, anchors: [...anchors, ...keyAnchors(sides, pairs)], isOneSide: input.isOneSide === true },
    comparisons,
    onStep,
  );
  const model = withoutUnseen(sample, comparisons, yield* learn(sample, comparisons, onStep));
  return assemble({ sides, input, blocking, pairs, comparisons, sample, model, opposite: amount?.opposite === true });
}

/** Returns a window that holds in either direction where a dataset is compared with itself. */
function inBothDirections(date: AnchorDays | null, { isOneSide = false }: SuggestInput): AnchorDays | null {
  if (date === null || !isOneSide) return date;
  const days = Math.max(Math.abs(date.from), Math.abs(date.to));
  return { ...date, from: -days, to: days };
}

function unpaired(profiles: readonly FieldProfile[], pairs: readonly FieldPair[], side: Side): FieldProfile[] {
  const paired = new Set(pairs.map((pair) => pair[side]));
  return profiles.filter(
    (field) => !paired.has(field) && (field.kind === 'code' || field.kind === 'text') && field.distinct > 0.05,
  );
}

function chooseComparisons(
  sides: Sides,
  pairs: readonly FieldPair[],
  alone: Record<Side, readonly FieldProfile[]>,
  windows: { amount: AnchorAmounts | null; date: AnchorDays | null },
): Comparison[] {
  const own = pairs.flatMap((pair) =>
    comparisonsOf(pair, {
      text: textFacts(sides, pair),
      amount: windows.amount?.pair === pair ? windows.amount : null,
      date: windows.date?.pair === pair ? windows.date : null,
    }),
  );
  const texts = pairs.filter((pair) => isTitle(pair) || isName(pair));
  const fields = {
    left: [...texts.map(({ left }) => left), ...alone.left],
    right: [...texts.map(({ right }) => right), ...alone.right],
  };
  const codes =
    hasCodes(sides, 'left', fields.left) && hasCodes(sides, 'right', fields.right) ? [codeComparison(fields)] : [];
  return [...codes, ...own].slice(0, maxComparisons);
}

function hasCodes(sides: Sides, side: Side, fields: readonly FieldProfile[]): boolean {
  const sample = spread(sides[side], 2_000);
  const withCode = sample.filter((record) =>
    fields.some(({ path }) => /(?=\S*\d)[\p{L}\d-]{5,}/u.test(textAt(record, path))),
  );
  return withCode.length >= minCodeShare * sample.length;
}

/** Evaluates each comparison for each candidate, by the expressions that the rule set will have. */
function* compareAll(
  sides: Sides,
  blocking: FoundBlocking & { anchors: readonly Anchor[]; isOneSide: boolean },
  comparisons: readonly Comparison[],
  onStep: () => void,
): Generator<number, PairSample, void> {
  const { lefts, rights, leftCount, isWhole, showsOthers, anchors, isOneSide } = blocking;
  const shared = new Set(anchors.map(([left, right]) => left * sides.right.length + right));
  const others = showsOthers ? null : randomPairs(sides, blocking);
  const background: Float64Array[] = [];
  const seen: Uint8Array[] = [];
  const levels: Uint8Array[] = [];
  const progress = (compared: number): number => 0.4 + (0.3 * compared) / comparisons.length;
  for (const [at, comparison] of comparisons.entries()) {
    const compare = comparer(sides, comparison, onStep);
    if (others !== null) {
      const outside = Math.max(0, leftCount * sides.right.length - lefts.length);
      const held = yield* compare(others, progress(at));
      background.push(scaled(held, comparison.levels.length, outside));
      seen.push(levelsOf(held, comparison.levels.length));
    }
    levels.push(yield* compare({ lefts, rights }, progress(at)));
    yield progress(at + 1);
  }
  return {
    lefts,
    rights,
    leftCount,
    rightCount: sides.right.length,
    isWhole,
    levels,
    background: others === null ? null : background,
    seen: others === null ? null : seen,
    copies: { left: isOneSide ? null : copiesOf(sides.left), right: isOneSide ? null : copiesOf(sides.right) },
    anchors: Int32Array.from(lefts.keys()).filter((pair) =>
      shared.has((lefts[pair] as number) * sides.right.length + (rights[pair] as number)),
    ),
  };
}

/** Counts levels as if there were `total` pairs. A level that none of them is at may have been missed. */
function scaled(held: Uint8Array, levels: number, total: number): Float64Array {
  const counts = new Float64Array(levels).fill(0.5);
  for (const level of held) counts[level]!++;
  return counts.map((count) => (count * total) / Math.max(1, held.length));
}

interface ComparedPairs {
  lefts: Int32Array;
  rights: Int32Array;
}

/** Returns pairs that are no candidates, evenly spread. */
function randomPairs(sides: Sides, { lefts, rights }: FoundBlocking): ComparedPairs {
  const [ones, others] = [sides.left.length, sides.right.length];
  const known = Float64Array.from(lefts, (left, at) => left * others + (rights[at] as number)).sort();
  const found: [number, number][] = [];
  for (let at = 0; at < backgroundPairs; at++) {
    const left = at % ones;
    // Fractions of the golden ratio spread evenly, and never in step with the left records.
    const right = Math.floor(((at * 0.618_033_988_749_895) % 1) * others);
    if (!hasKey(known, left * others + right)) found.push([left, right]);
  }
  return { lefts: Int32Array.from(found, ([left]) => left), rights: Int32Array.from(found, ([, right]) => right) };
}

/** Returns a function that gives the levels of pairs, in steps that give the progress. */
function comparer(
  sides: Sides,
  comparison: Comparison,
  onStep: () => void,
): (pairs: ComparedPairs, progress: number) => Generator<number, Uint8Array, void> {
  const { operands, levels } = comparison;
  const expression = expressionOf(comparison, [...levels.keys()], { left: 'left.value', right: 'right.value' });
  const level = evaluator(expression);
  const last = levels.length - 1;
  const leftOperand = operandOf(sides.left, 'left', operands.left);
  const rightOperand = operandOf(sides.right, 'right', operands.right);
  const input: Record<Side, JsonObject> = { left: {}, right: {} };
  return function* compare({ lefts, rights }, progress) {
    const held = new Uint8Array(lefts.length);
    for (let pair = 0; pair < held.length; pair++) {
      if (pair % 64 === 0) onStep();
      if (pair % pairsPerYield === pairsPerYield - 1) yield progress;
      input.left = leftOperand(lefts[pair] as number);
      input.right = rightOperand(rights[pair] as number);
      const value = level(input);
      held[pair] = typeof value === 'number' ? value : last;
    }
    return held;
  };
}

/** Returns what the pairs of a record compare, evaluated once. */
function operandOf(records: readonly JsonObject[], side: Side, source: string): (at: number) => JsonObject {
  const operand = evaluator(source);
  const known = new Map<number, JsonObject>();
  return (at) => {
    const found = known.get(at);
    if (found !== undefined) return found;
    const value = operand({ [side]: records[at] });
    const made: JsonObject = value === undefined ? {} : { value };
    known.set(at, made);
    return made;
  };
}

/** Returns an expression as a function; what fails, or cannot be compiled, gives nothing. */
function evaluator(source: string): (input: unknown) => unknown {
  const { evaluate } = compileExpression(source);
  return (input) => {
    try {
      const value = evaluate(input);
      return value instanceof Promise ? undefined : value;
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
}
