import {
  compileRuleSet,
  effectiveParams,
  ListedPairsError,
  PoolBuilder,
  rarityField,
  recordState,
  type CompiledRuleSet,
  type JsonObject,
  type PairCounts,
  type Proposal,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import type { Detected, ReadingWarning, ReadOptions } from '@tieout/formats';
import { comparePairs, tooManyPairs, type ComparedPairs } from './compare-pairs';
import { composeGroups } from './compose';
import { cutPossible } from './cut-possible';
import { Outcomes } from './outcome';
import type { PairList } from './pair-list';
import { Placer, PlacingErrors, withRarities, type ExpressionFailure } from './placer';
import { readSide, type ReadSide } from './read-file';
import { assignPairs } from './settle-pairs';
import type { SideTable } from './side-table';

export type ComparePhase = 'reading left' | 'reading right' | 'learning rules' | 'comparing' | 'composing' | 'writing';

export interface ReconcileInput extends Record<Side, { path: string; name: string; options: ReadOptions }> {
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
  const placement = input.rules === null ? null : new Placement(compileRuleSet(input.rules));
  const read = async (side: Side): Promise<ReadSide> => {
    const { path, name, options } = input[side];
    const placer = placement?.placesNow === true ? placement.placers[side] : null;
    return readSide({
      path,
      name,
      options,
      selection: placement?.compiled.references[side] ?? null,
      onRecord: placer === null ? null : (table, seq, value) => placer.place(table, seq, value),
      onProgress: (share) => input.onProgress(`reading ${side}`, share),
    });
  };
  const left = await read('left');
  const right = await read('right');
  const tables = { left: left.table, right: right.table };
  const placed =
    placement ??
    new Placement(compileRuleSet(input.learn(tables, (share) => input.onProgress('learning rules', share))));
  const isPlaced = { left: placed.placesNow && left.isPlaced, right: placed.placesNow && right.isPlaced };
  const complete = await placed.finish(tables, isPlaced);
  const compared = await decide(placed, tables, complete, input.onProgress);
  return {
    ...tables,
    ...compared,
    definition: placed.compiled.definition,
    sought: placed.compiled.sought,
    detected: { left: left.detected, right: right.detected },
    warnings: { left: left.warnings, right: right.warnings },
    expressionErrors: { count: placed.errors.count, first: placed.errors.first },
  };
}

type Complete = Record<Side, (value: JsonObject) => JsonObject>;

/** Compiled rules, and what places the records of both sides under them. */
class Placement {
  readonly errors = new PlacingErrors();
  readonly pool: PoolBuilder | null;
  readonly placers: Record<Side, Placer>;
  /** True if a record can be placed once it is read: no other one decides on what the rule set reads of it. */
  readonly placesNow: boolean;

  constructor(readonly compiled: CompiledRuleSet) {
    this.pool = compiled.composition === null ? null : new PoolBuilder(compiled.composition);
    const placer = (side: Side): Placer => new Placer(compiled, side, this.pool, this.errors);
    this.placers = { left: placer('left'), right: placer('right') };
    const { left, right } = compiled.references;
    this.placesNow = ![...left.keys, ...right.keys].some((key) => rarityField(key) !== undefined);
  }

  /** Places what is not placed yet. Returns how a packed value becomes what the rule set reads. */
  async finish(tables: Record<Side, SideTable>, isPlaced: Record<Side, boolean>): Promise<Complete> {
    const { compiled } = this;
    const complete = (side: Side): Complete[Side] => {
      const rarities = withRarities(compiled, side, tables[side]);
      return (value) => compiled.withRemaining(side, rarities === null ? value : rarities(value));
    };
    const completes = { left: complete('left'), right: complete('right') };
    for (const side of ['left', 'right'] as const) {
      if (isPlaced[side]) continue;
      const table = tables[side];
      for (let seq = 0; seq < table.length; seq++) {
        if (table.state[seq] !== recordState.candidate) continue;
        const pending = this.placers[side].place(table, seq, completes[side](table.records.valueAt(seq)));
        if (pending) await pending;
      }
    }
    return completes;
  }
}

type Decided = Pick<
  Reconciled,
  'pairs' | 'composites' | 'composedScale' | 'outcomes' | 'counts' | 'possibleCut' | 'unfinished' | 'pairErrors'
>;

async function decide(
  { compiled, pool, placers }: Placement,
  tables: Record<Side, SideTable>,
  complete: Complete,
  onProgress: ReconcileInput['onProgress'],
): Promise<Decided> {
  const compared = await comparePairs({
    ...tables,
    compiled,
    complete,
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
  const bound = { max: params.maxPossiblePerRecord };
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
