import {
  compileRuleSet,
  effectiveParams,
  ListedPairsError,
  type CompiledRuleSet,
  type PairCounts,
  type Proposal,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import type { Detected, ReadingWarning } from '@tieout/formats';
import { comparePairs, tooManyPairs, type ComparedPairs } from './compare-pairs';
import { composeGroups } from './compose';
import { cutPossible } from './cut-possible';
import { Outcomes } from './outcome';
import type { PairList } from './pair-list';
import { HelperThread } from './helper-thread';
import { Placement, type Complete } from './placement';
import type { ExpressionFailure } from './placer';
import { readSide, type FileInput, type ReadSide } from './read-file';
import { assignPairs } from './settle-pairs';
import type { SideTable } from './side-table';

export type ComparePhase = 'reading' | 'learning rules' | 'comparing' | 'composing' | 'writing';

export interface ReconcileInput extends Record<Side, FileInput> {
  /** The program of the second thread; null: all is done on one. */
  helper: string | null;
  /** Null where they are to be learnt from the records. */
  rules: RuleSetDefinition | null;
  /** Learns rules from the records. */
  learn: (tables: Record<Side, SideTable>, onProgress: (share: number) => void) => RuleSetDefinition;
  /** `share` is NaN where it is not known. */
  onProgress: (phase: ComparePhase, share: number) => void;
}

/** The result of a comparison. */
export interface Reconciled extends Record<Side, SideTable> {
  definition: RuleSetDefinition;
  sought: CompiledRuleSet['sought'];
  /** The parts of the records that the rules read. */
  references: CompiledRuleSet['references'];
  detected: Record<Side, Detected>;
  warnings: Record<Side, ReadingWarning[]>;
  pairs: PairList;
  composites: Proposal[];
  /** Decimals of the amounts of composites. */
  composedScale: number;
  outcomes: Outcomes;
  counts: PairCounts;
  possibleCut: number;
  unfinished: number;
  expressionErrors: { count: number; first: ExpressionFailure[] };
  pairErrors: ComparedPairs['errors'];
}

/** Reads two files and reconciles them as a job of the service does. */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  const helper = input.helper === null ? null : new HelperThread(input.helper);
  try {
    return await reconcileWith(helper, input);
  } finally {
    await helper?.stop();
  }
}

async function reconcileWith(helper: HelperThread | null, input: ReconcileInput): Promise<Reconciled> {
  const placement = input.rules === null ? null : new Placement(compileRuleSet(input.rules));
  const { left, right } = await readBoth(helper, placement, input);
  const tables = { left: left.table, right: right.table };
  const placed =
    placement ??
    new Placement(compileRuleSet(input.learn(tables, (share) => input.onProgress('learning rules', share))));
  const isPlaced = { left: placed.placesNow && left.isPlaced, right: placed.placesNow && right.isPlaced };
  const complete = await placed.finish(tables, isPlaced);
  const compared = await decide(placed, tables, { complete, helper, onProgress: input.onProgress });
  return {
    ...tables,
    ...compared,
    definition: placed.compiled.definition,
    sought: placed.compiled.sought,
    references: placed.compiled.references,
    detected: { left: left.detected, right: right.detected },
    warnings: { left: left.warnings, right: right.warnings },
    expressionErrors: { count: placed.errors.count, first: placed.errors.first },
  };
}

/** Reads both files: with a helper at the same time, else one after the other. */
async function readBoth(
  helper: HelperThread | null,
  placement: Placement | null,
  { left, right, rules, onProgress }: ReconcileInput,
): Promise<Record<Side, ReadSide>> {
  const shares = { left: 0, right: 0 };
  const shown = (side: Side) => (share: number) => {
    shares[side] = share;
    onProgress('reading', (shares.left + shares.right) / 2);
  };
  const read = (side: Side, file: FileInput): Promise<ReadSide> => {
    const placer = placement?.placesNow === true ? placement.placers[side] : null;
    return readSide({
      ...file,
      selection: placement?.compiled.references[side] ?? null,
      onRecord: placer === null ? null : (table, seq, value) => placer.place(table, seq, value),
      onProgress: shown(side),
    });
  };
  if (helper === null) return { left: await read('left', left), right: await read('right', right) };
  const [own, other] = await Promise.all([read('left', left), helper.read(right, rules, shown('right'))]);
  placement?.errors.append(other.errors);
  return { left: own, right: other };
}

type Decided = Pick<
  Reconciled,
  'pairs' | 'composites' | 'composedScale' | 'outcomes' | 'counts' | 'possibleCut' | 'unfinished' | 'pairErrors'
>;

interface DecideOptions extends Pick<ReconcileInput, 'onProgress'> {
  complete: Complete;
  helper: HelperThread | null;
}

async function decide(
  { compiled, pool, placers, placesNow }: Placement,
  tables: Record<Side, SideTable>,
  { complete, helper, onProgress }: DecideOptions,
): Promise<Decided> {
  const compared = await comparePairs({
    ...tables,
    compiled,
    complete,
    // Shares of values are known to this thread only.
    helper: placesNow ? helper : null,
    onProgress: (share) => onProgress('comparing', share),
  }).catch((error: unknown): ComparedPairs => {
    throw error instanceof ListedPairsError ? tooManyPairs(error, compiled) : error;
  });
  const { pairs, amountScale } = compared;
  const params = effectiveParams(compiled.definition);
  const assign = (): void => {
    if (params.assignment === 'one_to_one') assignPairs({ ...tables, compiled, pairs, amountScale, complete });
  };
  // Pairs of a rule set that composes are assigned before, as groups take what is left.
  if (pool !== null) assign();
  const bound = params.maxPossiblePerRecord;
  const possibleCut = compared.cut + cutPossible(pairs, 'left', bound) + cutPossible(pairs, 'right', bound);
  if (pool === null) assign();
  const built = pool?.build();
  const groups =
    compiled.composition === null || built === undefined
      ? { composites: [], unfinished: 0 }
      : composeGroups({
          composition: compiled.composition,
          pool: built,
          pooled: { left: placers.left.pooled, right: placers.right.pooled },
          pairs,
          onProgress: (share) => onProgress('composing', share),
        });
  const { MATCH, POSSIBLE, NO_MATCH, ERROR } = compared.counts;
  const compares = MATCH + POSSIBLE + NO_MATCH + ERROR;
  const counts = { ...compared.counts, MATCH: 0, POSSIBLE: 0 };
  for (const pair of pairs.present()) counts[pairs.isMatch(pair) ? 'MATCH' : 'POSSIBLE']++;
  // Pairs that were taken out count as no match.
  counts.NO_MATCH = compares - counts.MATCH - counts.POSSIBLE - counts.ERROR;
  return {
    pairs,
    composites: groups.composites,
    composedScale: built?.amountScale ?? amountScale,
    outcomes: new Outcomes(tables, pairs, groups.composites),
    counts,
    possibleCut,
    unfinished: groups.unfinished,
    pairErrors: compared.errors,
  };
}
