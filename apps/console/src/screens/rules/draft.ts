import type { FailureCounts } from './failures';
import type { KnownNames } from './language';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import type { MatcherRule, PassRules, PlacedFault, RuleParams, RulesDraft, PreviewedPair } from '../../api/rules';

/** Sets one parameter; undefined: its default holds. */
export type SetParam = <K extends keyof RuleParams>(name: K, value: RuleParams[K] | undefined) => void;

/** A part of the rules while they are edited. */
export interface RulesPart {
  draft: RulesDraft;
  names: KnownNames;
  faults: readonly PlacedFault[];
  failures: FailureCounts;
  setParam: SetParam;
}

export const draftOf = ({ name, engine, jsonata_expr, params }: PassRules): RulesDraft => ({
  name,
  engine,
  jsonataExpr: jsonata_expr,
  params,
});

export const isSame = (a: RulesDraft, b: RulesDraft): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Leaves out what is not given: an absent parameter has its default. */
export function withParam<P extends object, K extends keyof P>(params: P, name: K, value: P[K] | undefined): P {
  const { [name]: _before, ...others } = params;
  return (value === undefined || value === '' ? others : { ...others, [name]: value }) as P;
}

export const scaleOf = ({ Tmatch }: Pick<RuleParams, 'Tmatch'>): 1 | 100 => (Tmatch > 1 ? 100 : 1);

type Thresholds = Pick<RuleParams, 'Tmatch' | 'Tpossible'>;

/** A threshold is no number that a score of the scale reaches (`range`), or is above the other one (`order`). */
export type ThresholdFault = 'range' | 'order';

/**
 * Finds thresholds that cannot be meant. NaN stands for an empty field.
 * @param scale that of the stored rules: a `Tmatch` on the other side of 1 would change what every score means
 */
export function thresholdFaults(
  { Tmatch, Tpossible }: Thresholds,
  scale: 1 | 100,
): Partial<Record<keyof Thresholds, ThresholdFault>> {
  const isReached = (value: number): boolean => value >= 0 && value <= scale;
  const isMatchReached = isReached(Tmatch) && scaleOf({ Tmatch }) === scale;
  if (!isReached(Tpossible)) return { Tpossible: 'range', ...(isMatchReached ? {} : { Tmatch: 'range' }) };
  if (!isMatchReached) return { Tmatch: 'range' };
  return Tpossible > Tmatch ? { Tpossible: 'order' } : {};
}

export const idOf = (matcher: MatcherRule, at: number): string => matcher.id ?? `m${at + 1}`;

/** The fault of one part of a rule set, by the pointer to it. */
export const faultAt = (faults: readonly PlacedFault[], pointer: string): PlacedFault | undefined =>
  faults.find(({ path }) => path === `/ruleSet${pointer}`);

export interface HistogramBin {
  from: number;
  to: number;
  matches: number;
  possible: number;
  others: number;
}

/** The number of pairs by score, in bins of one width; thresholds, not stored decisions, say what a pair counts as. */
export function histogramOf(scores: readonly number[], params: RuleParams, bins = 20): HistogramBin[] {
  const scale = scaleOf(params);
  const found = Array.from({ length: bins }, (_, at): HistogramBin => {
    const width = scale / bins;
    return { from: at * width, to: (at + 1) * width, matches: 0, possible: 0, others: 0 };
  });
  for (const score of scores) {
    const bin = found[Math.max(0, Math.min(bins - 1, Math.floor((score / scale) * bins)))];
    if (bin === undefined) continue;
    if (score >= params.Tmatch) bin.matches++;
    else if (score >= params.Tpossible) bin.possible++;
    else bin.others++;
  }
  return found;
}

/** Ways to choose pairs among those that were scored. */
export const pairChoices = ['best', 'match', 'possible', 'random'] as const;
export type PairChoice = (typeof pairChoices)[number];

const pairsListed = 12;

/** The pairs that show most: the best, those nearest to a threshold, or an even sample of all. */
export function choosePairs(pairs: readonly PreviewedPair[], choice: PairChoice, params: RuleParams): PreviewedPair[] {
  const scored = pairs.filter(({ score, decision }) => score !== null || decision === 'ERROR');
  if (choice === 'random') {
    const step = Math.max(1, Math.floor(scored.length / pairsListed));
    return scored.filter((_, at) => at % step === 0).slice(0, pairsListed);
  }
  const by = { best: Infinity, match: params.Tmatch, possible: params.Tpossible }[choice];
  const distance = ({ score }: PreviewedPair): number =>
    choice === 'best' ? -(score ?? -1) : Math.abs((score ?? -Infinity) - by);
  return [...scored].sort((a, b) => distance(a) - distance(b)).slice(0, pairsListed);
}

export interface ScorePart {
  id: string;
  name: string;
  value: number | null;
  contribution: number;
}

/** Returns the part of a score that each matcher added. */
export function partsOf({ explanation }: Pick<PreviewedPair, 'explanation'>): ScorePart[] {
  const { matchers } = (explanation ?? {}) as { matchers?: (Partial<ScorePart> & { id?: string })[] };
  return (matchers ?? []).map(({ id, name, value, contribution }, at) => ({
    id: id ?? String(at),
    name: name ?? id ?? '',
    value: value ?? null,
    contribution: contribution ?? 0,
  }));
}

/** Moves an item of a list by a number of places. */
export function moved<T>(list: readonly T[], at: number, by: number): T[] {
  const items = [...list];
  const [item] = items.splice(at, 1);
  if (item !== undefined) items.splice(Math.max(0, at + by), 0, item);
  return items;
}

type Datasets = Pick<ReconciliationAnswer, 'left_dataset_ids' | 'right_dataset_ids'>;

/** A pass compares a dataset of the left with one of the right side, or one of either with itself. */
export function canBePass(
  { left_dataset_id: left, right_dataset_id: right }: Pick<PassRules, 'left_dataset_id' | 'right_dataset_id'>,
  { left_dataset_ids: lefts, right_dataset_ids: rights }: Datasets,
): boolean {
  return left === right ? [...lefts, ...rights].includes(left) : lefts.includes(left) && rights.includes(right);
}
