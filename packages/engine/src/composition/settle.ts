import { maxSearches } from './limits';
import { PriorityQueue } from './priority-queue';
import { compareProposals } from './rank';
import { memberSide, targetSide } from './types';
import { runToEnd } from '../values/steps';
import type { Side } from '../values/types';
import type { Composer, CompositeDirection, Proposal, Taken } from './types';

/** Targets that always get the same proposal, by row, and what the first free one of them would take. */
interface Competitor {
  targets: number[];
  next: number;
  proposal: Proposal;
  searchesLeft: number;
}

/** Listens for targets that the competition could not finish. */
export interface SettleListener {
  /**
   * Reports a target without a composite that could have one: its last search was unfinished, or it lost members
   * too often to search again. Called at the end, for targets that are free then.
   */
  onGivenUp?(direction: CompositeDirection, target: number): void;
}

/**
 * Settles the competition for members: takes at most one proposal per target and returns the final composites by rank.
 * The best proposal is settled first (`compareProposals`). A MATCH takes its target and its members and marks them in
 * `taken`. A proposal that lost members searches again among the free rows before the next one is settled. A POSSIBLE
 * takes nothing and contains nothing that a MATCH has taken; an ambiguous one that has lost nothing stays ambiguous.
 * Targets without a proposal do not compete: fewer rows give fewer sets, and whether one counts depends on its own rows
 * alone; whole groups that only rows of amount 0 complete are left out. Equivalent targets queue one after another, so
 * that each of them costs one search. The generator pauses after at most one search, so that the caller can do other
 * work or stop.
 */
export function settleWithPauses(
  composer: Composer,
  proposals: readonly Proposal[],
  taken: Taken,
  watch: SettleListener = {},
): Generator<void, Proposal[], void> {
  return new Competition(composer, taken, watch).run(proposals);
}

/** Runs `settleWithPauses` to its end. */
export function settle(
  composer: Composer,
  proposals: readonly Proposal[],
  taken: Taken,
  watch: SettleListener = {},
): Proposal[] {
  return runToEnd(settleWithPauses(composer, proposals, taken, watch));
}

class Competition {
  private readonly queue = new PriorityQueue<Competitor>((one, other) =>
    compareProposals(one.proposal, other.proposal),
  );
  /** POSSIBLE proposals, in the order of their arrival, and the ones that hold each row. */
  private readonly parked = new Set<Competitor>();
  private readonly holders = { left: new Map<number, Competitor[]>(), right: new Map<number, Competitor[]>() };
  private readonly matches: Proposal[] = [];
  private readonly givenUp: Competitor[] = [];

  constructor(
    private readonly composer: Composer,
    private readonly taken: Taken,
    private readonly watch: SettleListener,
  ) {}

  *run(proposals: readonly Proposal[]): Generator<void, Proposal[], void> {
    for (const rival of this.rivals(proposals)) this.queue.push(rival);
    yield* this.empty();
    for (const rival of this.givenUp)
      for (const target of this.freeTargets(rival)) this.watch.onGivenUp?.(rival.proposal.direction, target);
    return [...this.matches, ...[...this.parked].flatMap((rival) => this.proposalsOf(rival))].sort(compareProposals);
  }

  private rivals(proposals: readonly Proposal[]): Competitor[] {
    const rivals = new Map<string, Competitor>();
    for (const proposal of [...proposals].sort((one, other) => one.target - other.target)) {
      const equivalence = this.composer.equivalenceKey(proposal.direction, proposal.target);
      const known = rivals.get(equivalence);
      if (known === undefined) {
        rivals.set(equivalence, { targets: [proposal.target], next: 0, proposal, searchesLeft: maxSearches });
      } else {
        known.targets.push(proposal.target);
        known.searchesLeft += maxSearches;
      }
    }
    return [...rivals.values()];
  }

  private *empty(): Generator<void, void, void> {
    for (let rival = this.queue.pop(); rival !== undefined; rival = this.queue.pop()) {
      yield;
      const { target } = rival.proposal;
      if (!this.skipTaken(rival)) continue;
      // The next target enters the queue again at its own rank.
      if (rival.proposal.target !== target) this.queue.push(rival);
      else if (!this.isFree(rival.proposal)) this.searchAgain(rival);
      else if (rival.proposal.decision === 'POSSIBLE') this.park(rival);
      else yield* this.match(rival);
    }
  }

  private *match(rival: Competitor): Generator<void, void, void> {
    const { proposal } = rival;
    this.composer.take(proposal, this.taken);
    this.matches.push(proposal);
    if (this.skipTaken(rival)) this.queue.push(rival);
    yield* this.recall(proposal);
  }

  private park(rival: Competitor): void {
    this.parked.add(rival);
    const holders = this.holders[memberSide[rival.proposal.direction]];
    for (const member of rival.proposal.members) {
      const known = holders.get(member);
      if (known === undefined) holders.set(member, [rival]);
      else known.push(rival);
    }
  }

  /**
   * Lets POSSIBLE proposals compete again that have lost members to this one. An ambiguous one that keeps its members
   * stays ambiguous: the rows that others took do not show which of the equally good sets was meant.
   */
  private *recall({ direction, target, members }: Proposal): Generator<void, void, void> {
    yield* this.recallHolders(targetSide[direction], target);
    for (const member of members) yield* this.recallHolders(memberSide[direction], member);
  }

  private *recallHolders(side: Side, row: number): Generator<void, void, void> {
    const holders = this.holders[side].get(row) ?? [];
    this.holders[side].delete(row);
    for (const rival of holders) {
      // The competitor may have returned with other members.
      if (!this.parked.has(rival) || this.isFree(rival.proposal)) continue;
      this.parked.delete(rival);
      if (!this.skipTaken(rival)) continue;
      this.searchAgain(rival);
      yield;
    }
  }

  private searchAgain(rival: Competitor): void {
    if (rival.searchesLeft === 0) {
      this.givenUp.push(rival);
      return;
    }
    const proposal = this.search(rival);
    if (proposal !== null) {
      rival.proposal = proposal;
      this.queue.push(rival);
      // No proposal for one target means none for equivalent ones.
    } else if (this.composer.unfinished) this.givenUp.push(rival);
  }

  private search(rival: Competitor): Proposal | null {
    rival.searchesLeft--;
    const { direction, target } = rival.proposal;
    return this.composer.propose(direction, target, this.taken);
  }

  /** Moves on to the first free target; false when there is none. */
  private skipTaken(rival: Competitor): boolean {
    const { targets, proposal } = rival;
    const taken = this.taken[targetSide[proposal.direction]];
    while (rival.next < targets.length && taken[targets[rival.next] as number] === 1) rival.next++;
    const target = targets[rival.next];
    if (target === undefined) return false;
    if (target !== proposal.target) rival.proposal = { ...proposal, target };
    return true;
  }

  private isFree({ direction, members }: Proposal): boolean {
    const taken = this.taken[memberSide[direction]];
    return members.every((member) => taken[member] !== 1);
  }

  private proposalsOf(rival: Competitor): Proposal[] {
    return this.freeTargets(rival).map((target) => ({ ...rival.proposal, target }));
  }

  private freeTargets({ targets, next, proposal }: Competitor): number[] {
    const taken = this.taken[targetSide[proposal.direction]];
    return targets.slice(next).filter((target) => taken[target] !== 1);
  }
}
