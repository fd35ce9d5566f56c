import { memberSide, recordState, targetSide, type Proposal, type Side } from '@tieout/engine';
import { pairMark, type PairList } from './pair-list';
import { replaced } from './read-file';
import type { SideTable } from './side-table';

/** Outcomes of a record, the best first: over its pairs and groups the best one counts. */
const outcomes = [
  'matched',
  'ambiguous',
  'possible_only',
  'below_threshold',
  'no_candidate',
  'unblocked',
  'filtered',
  'failed',
  'replaced',
] as const;
export type RecordOutcome = (typeof outcomes)[number];

const rankOf = (outcome: RecordOutcome): number => outcomes.indexOf(outcome);

const initial: Readonly<Record<number, RecordOutcome>> = {
  [recordState.candidate]: 'below_threshold',
  [recordState.noCandidate]: 'no_candidate',
  [recordState.failed]: 'failed',
  [recordState.filtered]: 'filtered',
  [recordState.unblocked]: 'unblocked',
  [replaced]: 'replaced',
};

const initialRanks = Uint8Array.from({ length: 256 }, (_, state) => rankOf(initial[state] ?? 'replaced'));

/** Outcomes that leave nothing open: a filter leaves records out on purpose. */
const closed = new Set<RecordOutcome>(['matched', 'filtered', 'replaced']);

export const openOutcomes = outcomes.filter((outcome) => !closed.has(outcome));

/** The outcome of each record of both sides. */
export class Outcomes {
  private readonly ranks: Record<Side, Uint8Array>;

  constructor(tables: Record<Side, SideTable>, pairs: PairList, composites: readonly Proposal[]) {
    const begin = ({ state, length }: SideTable): Uint8Array =>
      state.slice(0, length).map((own) => initialRanks[own] as number);
    this.ranks = { left: begin(tables.left), right: begin(tables.right) };
    for (let pair = 0; pair < pairs.length; pair++) {
      const isOut = pairs.has(pair, pairMark.gone);
      // A pair that only exchanges equal records leaves their state as it is; a pair that was cut was possible.
      if (isOut && pairs.isMatch(pair)) continue;
      const possible = pairs.has(pair, pairMark.ambiguous) ? 'ambiguous' : 'possible_only';
      const outcome = pairs.isMatch(pair) ? 'matched' : possible;
      for (const side of ['left', 'right'] as const) this.mark(side, pairs[side][pair] as number, outcome);
    }
    for (const { direction, target, members, decision, explanation } of composites) {
      const possible = explanation['ambiguous'] === true ? 'ambiguous' : 'possible_only';
      const outcome = decision === 'MATCH' ? 'matched' : possible;
      this.mark(targetSide[direction], target, outcome);
      for (const member of members) this.mark(memberSide[direction], member, outcome);
    }
  }

  of(side: Side, seq: number): RecordOutcome {
    return outcomes[this.ranks[side][seq] as number] as RecordOutcome;
  }

  isOpen(side: Side, seq: number): boolean {
    return !closed.has(this.of(side, seq));
  }

  count(side: Side): Partial<Record<RecordOutcome, number>> {
    const counts = new Uint32Array(outcomes.length);
    for (const rank of this.ranks[side]) counts[rank] = (counts[rank] as number) + 1;
    return Object.fromEntries(outcomes.map((outcome, rank) => [outcome, counts[rank] as number]));
  }

  private mark(side: Side, seq: number, outcome: RecordOutcome): void {
    const rank = rankOf(outcome);
    if (rank < (this.ranks[side][seq] as number)) this.ranks[side][seq] = rank;
  }
}
