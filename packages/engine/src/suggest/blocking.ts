import { defaultTop } from '../definition/keys';
import type { BlockingParams, BlockingRuleParams } from '../definition/types';
import { counted } from '../values/counted';
import type { JsonObject, Side } from '../values/types';
import type { Anchor, AnchorAmounts, Sides } from './anchors';
import { amountOf, joinedOf, rounded } from './expressions';
import { spread, textAt } from './fields';
import { isName, isTitle } from './comparisons';
import { hasKey, PairKeys, united } from './pair-keys';
import { eachNeighbour } from './text-neighbours';
import type { FieldPair, FieldProfile } from './types';
import { eachInWindows, windowIndex, type WindowIndex, type Windows } from './windows';

/** Most candidates of a left record by amounts and dates alone. */
const maxInWindows = 600;
/** Windows with this share of the anchors need no other rule beside them. */
const minWindowShare = 0.985;
const minUsefulShare = 0.7;
/** Amounts that may differ are no window where blocking reads a smaller share of them. */
const minRead = 0.9;
const maxPairs = 300_000;
/** Pairs of all rules together, where rules of texts are among them: all left records compete up to these. */
const maxUnitedPairs = 700_000;
/** Records that each record finds by a rule of texts, or is found by. */
const perTextRule = 1.4 * defaultTop;
const probedRecords = 300;
const minShowing = 8;
/** Longer texts dilute the words by which records are found. */
const maxJoinedWords = 25;

export interface FoundBlocking {
  params: BlockingParams;
  rules: { name: string; why: string; candidates: number; recall: number | null }[];
  lefts: Int32Array;
  rights: Int32Array;
  leftCount: number;
  isWhole: boolean;
  /** True if candidates were found in one way, and are enough to show what pairs are like that are no matches. */
  showsOthers: boolean;
}

interface Rule {
  params: BlockingRuleParams;
  name: string;
  why: string;
  /** Keys of its pairs: see `PairKeys`. */
  pairs: Float64Array;
}

export interface BlockingFacts {
  windows: Windows;
  pairs: readonly FieldPair[];
  /** Fields of texts and codes that no field of the other side corresponds to. */
  alone: Record<Side, readonly FieldProfile[]>;
  anchors: readonly Anchor[];
  totals: Record<Side, number>;
}

/** Progress of a suggestion while its blocking is chosen. */
const progress = 0.1;

type BlockingSteps = Generator<number, FoundBlocking | null, void>;

/** Chooses how pairs are found, and lists the candidates of the sample, in steps that give the progress. */
export function* findBlocking(sides: Sides, facts: BlockingFacts, onStep: () => void): BlockingSteps {
  const { amount, date } = facts.windows;
  // A key can compare amounts that only `$amount` reads, but only for equality.
  const isLost = amount !== null && amount.tolerance > 0 && amount.read < minRead;
  const readable = isLost ? yield* findWithin(sides, { ...facts, windows: { amount: null, date } }, onStep) : null;
  return readable ?? (yield* findWithin(sides, facts, onStep));
}

function* findWithin(sides: Sides, facts: BlockingFacts, onStep: () => void): BlockingSteps {
  const { windows, totals } = facts;
  const hasWindows = windows.amount !== null || windows.date !== null;
  const index = hasWindows ? windowIndex(sides, windows) : null;
  const mean = index === null ? Infinity : meanInWindows(sides, windows, index);
  const perLeft = (mean * totals.right) / Math.max(1, sides.right.length);
  const isUseful = perLeft <= maxInWindows && shareOfBoth(windows, 'ofPartners') >= minUsefulShare;
  const texts = textRules(facts);
  const isEnough = isUseful && shareOfBoth(windows) >= minWindowShare;
  if (isEnough || texts.length === 0) {
    const isUsed = index !== null && (isUseful || windows.amount !== null);
    return isUsed ? byWindows(sides, facts, { index, mean, onStep }) : null;
  }
  const size = sides.right.length;
  const rules: Rule[] = [];
  const expected = (isUseful ? mean : 0) + texts.length * perTextRule;
  const leftCount = Math.min(sides.left.length, Math.floor(maxUnitedPairs / expected));
  const chosen = new Set(spread(Array.from(sides.left.keys()), leftCount));
  if (isUseful && index !== null)
    rules.push({ ...windowRule(windows), pairs: pairsInWindows(sides, windows, { index, onStep }, chosen) });
  for (const { rule, texts: read } of texts) {
    yield progress;
    const pairs = new PairKeys(size);
    const own = {
      left: sides.left.map((one) => read('left', one)),
      right: sides.right.map((one) => read('right', one)),
    };
    eachNeighbour(own, defaultTop, (left, right) => void (chosen.has(left) && pairs.add(left, right)), onStep);
    rules.push({ ...rule, pairs: pairs.taken() });
  }
  yield progress;
  return unite(sides, facts, rules, chosen);
}

/** Returns the share of the anchors inside of the windows, of all or of those that are surely partners. */
const shareOfBoth = ({ amount, date }: Windows, of: 'share' | 'ofPartners' = 'share'): number =>
  (amount?.[of] ?? 1) * (date?.[of] ?? 1);

/** @param chosen the left records whose pairs were listed */
function unite(sides: Sides, facts: BlockingFacts, rules: readonly Rule[], chosen: ReadonlySet<number>): FoundBlocking {
  const size = sides.right.length;
  const anchors = facts.anchors.filter(([left]) => chosen.has(left));
  const all = united(rules.map(({ pairs }) => pairs));
  return {
    params: { rules: rules.map(({ params }) => params) },
    rules: rules.map(({ name, why, pairs }) => ({
      name,
      why,
      candidates: Math.round((pairs.length * sides.left.length) / Math.max(1, chosen.size)),
      recall: shareOf(anchors, ([left, right]) => hasKey(pairs, left * size + right)),
    })),
    lefts: Int32Array.from(all, (pair) => Math.floor(pair / size)),
    rights: Int32Array.from(all, (pair) => pair % size),
    leftCount: chosen.size,
    isWhole: chosen.size === sides.left.length,
    showsOthers: rules.every(({ params }) => params.text !== undefined) && all.length >= minShowing * chosen.size,
  };
}

interface WindowSearch {
  index: WindowIndex;
  onStep: () => void;
}

function byWindows(
  sides: Sides,
  { windows, totals }: BlockingFacts,
  { index, mean: probed, onStep }: WindowSearch & { mean: number },
): FoundBlocking {
  const mean = Math.max(probed, 0.01);
  const leftCount = Math.min(sides.left.length, Math.max(200, Math.floor(maxPairs / mean)));
  const chosen = spread(Array.from(sides.left.keys()), leftCount);
  const lefts: number[] = [];
  const rights: number[] = [];
  for (const left of chosen) {
    onStep();
    if (lefts.length >= 2 * maxPairs) break;
    eachInWindows(windows, index, sides.left[left] as JsonObject, (right) => {
      lefts.push(left);
      rights.push(right);
    });
  }
  const { params, name, why } = windowRule(windows);
  const { name: _, ...plain } = params;
  return {
    params: plain,
    rules: [
      {
        name,
        why,
        candidates: Math.round((mean * totals.left * totals.right) / Math.max(1, sides.right.length)),
        recall: shareOfBoth(windows),
      },
    ],
    lefts: Int32Array.from(lefts),
    rights: Int32Array.from(rights),
    leftCount: chosen.length,
    isWhole: chosen.length === sides.left.length,
    showsOthers: lefts.length >= minShowing * chosen.length,
  };
}

function pairsInWindows(
  sides: Sides,
  windows: Windows,
  { index, onStep }: WindowSearch,
  chosen: Iterable<number>,
): Float64Array {
  const pairs = new PairKeys(sides.right.length);
  for (const left of chosen) {
    onStep();
    const record = sides.left[left] as JsonObject;
    eachInWindows(windows, index, record, (right) => pairs.add(left, right));
  }
  return pairs.taken();
}

/** Returns the mean number of right records in the windows of a left one, by some of them. */
function meanInWindows(sides: Sides, windows: Windows, index: WindowIndex): number {
  const probes = spread(sides.left, probedRecords);
  let count = 0;
  for (const probe of probes) eachInWindows(windows, index, probe, () => count++);
  return count / Math.max(1, probes.length);
}

function daysBetween({ from, to }: { from: number; to: number }): string {
  if (from !== to) return `the right date is ${from} to ${to} days after the left one`;
  return from === 0 ? 'dates are equal' : `the right date is ${counted(from, 'day')} after the left one`;
}

function windowRule({ amount, date }: Windows): { params: BlockingRuleParams; name: string; why: string } {
  const parts = [
    ...(amount === null
      ? []
      : [amount.tolerance === 0 ? 'amounts are equal' : `amounts are within ${rounded(100 * amount.tolerance, 2)} %`]),
    ...(date === null ? [] : [daysBetween(date)]),
  ];
  const name = amount === null ? 'dates' : date === null ? 'amounts' : 'amounts and dates';
  return {
    name,
    why: `Of records that share a value no other record has, ${parts.join(' and ')}.`,
    params: {
      name,
      ...(amount === null ? {} : amountParams(amount)),
      ...(date === null
        ? {}
        : {
            dateKeyLeft: date.pair.left.path,
            dateKeyRight: date.pair.right.path,
            dateFromDays: date.from,
            dateToDays: date.to,
          }),
    },
  };
}

function amountParams({ pair: { left, right }, tolerance, opposite, read }: AnchorAmounts): BlockingRuleParams {
  if (tolerance === 0 && read < 1) {
    const sign = opposite ? '-' : '';
    return { keys: [{ left: amountOf('left', left), right: sign + amountOf('right', right) }] };
  }
  return {
    amountKeyLeft: left.path,
    amountKeyRight: right.path,
    ...(tolerance === 0 ? { amountTolerance: 0 } : { amountTolerancePercent: rounded(100 * tolerance, 3) }),
  };
}

interface FoundTextRule {
  rule: Omit<Rule, 'pairs'>;
  texts: (side: Side, record: JsonObject) => string;
}

/** Returns the rules of similar texts: by all short texts together, and by the title alone where there is one. */
function textRules({ pairs, alone }: BlockingFacts): FoundTextRule[] {
  const texts = pairs.filter(({ kind }) => kind === 'text' || kind === 'code');
  const short = texts.filter(({ left, right }) => Math.max(left.words, right.words) <= maxJoinedWords);
  const joined = short.length === 0 ? texts : short;
  const extra = (side: Side): FieldProfile[] => alone[side].filter(({ words }) => words <= maxJoinedWords);
  const both = {
    left: [...joined.map(({ left }) => left), ...extra('left')],
    right: [...joined.map(({ right }) => right), ...extra('right')],
  };
  if (both.left.length === 0 || both.right.length === 0) return [];
  const rules = [textRule('similar texts', both)];
  const title = joined.filter((pair) => isTitle(pair) || isName(pair)).sort(byUse)[0];
  if (title !== undefined && (both.left.length > 1 || both.right.length > 1))
    rules.push(textRule(`similar ${title.left.path}`, { left: [title.left], right: [title.right] }));
  return rules;
}

/** The field that most records fill with most different values comes first. */
const byUse = (one: FieldPair, other: FieldPair): number => useOf(other) - useOf(one);
const useOf = ({ left, right }: FieldPair): number =>
  (left.fill * right.fill * left.distinct * right.distinct) / Math.log(3 + Math.max(left.words, right.words));

function textRule(name: string, fields: Record<Side, readonly FieldProfile[]>): FoundTextRule {
  return {
    rule: {
      name,
      why: `Each record finds the ${defaultTop} records with the most similar words, rare words first.`,
      params: {
        name,
        text: { left: joinedOf('left', fields.left), right: joinedOf('right', fields.right), top: defaultTop },
      },
    },
    texts: (side, record) => fields[side].map(({ path }) => textAt(record, path)).join(' '),
  };
}

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
