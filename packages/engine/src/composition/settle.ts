import { maxSearches } from './limits';
import { PriorityQueue } from './priority-queue';
import { compareProposals } from './rank';
import { memberSide, targetSide } from './sides';
import type { Side } from '../values/types';
import type { Composer, CompositeDirection, Proposal, Taken } from './types';

/** Targets that are always proposed the same members, by row, and what the first free one of them would take. */
interface Rival {
  targets: number[];
  next: number;
  proposal: Proposal;
  searchesLeft: number;
}

/** Who wants to know what the competition could not finish. */
export interface SettleWatch {
  /**
   * A target without a composite that might have one: its last search was unfinished, or it lost members too often to search
   * once more. Called at the end, for targets that are free then.
   */
  onGivenUp?(direction: CompositeDirection, target: number): void;
}

/**
 * Competition for members: takes one proposal a target at most and gives the final composites by rank. The best goes
 * first (`compareProposals`); a MATCH takes its target and its members, which is marked in `taken`; who lost members
 * searches again among what is free before the next one goes. A POSSIBLE takes nothing and holds nothing that a MATCH has
 * taken; one that is ambiguous and has lost nothing stays so. A target without a proposal is not here: with fewer rows it
 * has fewer sets, and whether one counts depends on its own rows alone; what rows of amount 0 make a whole group is left
 * out. Targets that are alike queue behind one another, so that each of them costs one search. A turn is one search at
 * most: whoever asks for the turns can do something else in between, or stop asking.
 */
export function settleWithPauses(
  composer: Composer,
  proposals: readonly Proposal[],
  taken: Taken,
  watch: SettleWatch = {},
): Generator<void, Proposal[], void> {
  return new Competition(composer, taken, watch).run(proposals);
}

/** The plain form of `settleWithPauses`: all turns at once. */
export function settle(
  composer: Composer,
  proposals: readonly Proposal[],
  taken: Taken,
  watch: SettleWatch = {},
): Proposal[] {
  const turns = settleWithPauses(composer, proposals, taken, watch);
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
  }
}

class Competition {
  private readonly queue = new PriorityQueue<Rival>((one, other) => compareProposals(one.proposal, other.proposal));
  /** POSSIBLE ones, in the order in which they came, and who of them holds a row. */
  private readonly parked = new Set<Rival>();
  private readonly holders = { left: new Map<number, Rival[]>(), right: new Map<number, Rival[]>() };
  private readonly matches: Proposal[] = [];
  private readonly givenUp: Rival[] = [];

  constructor(
    private readonly composer: Composer,
    private readonly taken: Taken,
    private readonly watch: SettleWatch,
  ) {}

  *run(proposals: readonly Proposal[]): Generator<void, Proposal[], void> {
    for (const rival of this.rivals(proposals)) this.queue.push(rival);
    yield* this.empty();
    for (const rival of this.givenUp)
      for (const target of this.freeTargets(rival)) this.watch.onGivenUp?.(rival.proposal.direction, target);
    return [...this.matches, ...[...this.parked].flatMap((rival) => this.proposalsOf(rival))].sort(compareProposals);
  }

  private rivals(proposals: readonly Proposal[]): Rival[] {
    const rivals = new Map<string, Rival>();
    for (const proposal of [...proposals].sort((one, other) => one.target - other.target)) {
      const likeness = this.composer.likeness(proposal.direction, proposal.target);
      const known = rivals.get(likeness);
      if (known === undefined) {
        rivals.set(likeness, { targets: [proposal.target], next: 0, proposal, searchesLeft: maxSearches });
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
      // The next target has a place of its own, behind others perhaps.
      if (rival.proposal.target !== target) this.queue.push(rival);
      else if (!this.isFree(rival.proposal)) this.searchAgain(rival);
      else if (rival.proposal.decision === 'POSSIBLE') this.park(rival);
      else yield* this.match(rival);
    }
  }

  private *match(rival: Rival): Generator<void, void, void> {
    const { proposal } = rival;
    this.composer.take(proposal, this.taken);
    this.matches.push(proposal);
    if (this.skipTaken(rival)) this.queue.push(rival);
    yield* this.recall(proposal);
  }

  private park(rival: Rival): void {
    this.parked.add(rival);
    const holders = this.holders[memberSide[rival.proposal.direction]];
    for (const member of rival.proposal.members) {
      const known = holders.get(member);
      if (known === undefined) holders.set(member, [rival]);
      else known.push(rival);
    }
  }

  /**
   * POSSIBLE ones that have lost members to this proposal compete again. One that is ambiguous and keeps its members stays so:
   * that others have taken what was as good does not say which of the two was meant.
   */
  private *recall({ direction, target, members }: Proposal): Generator<void, void, void> {
    yield* this.recallHolders(targetSide[direction], target);
    for (const member of members) yield* this.recallHolders(memberSide[direction], member);
  }

  private *recallHolders(side: Side, row: number): Generator<void, void, void> {
    const holders = this.holders[side].get(row) ?? [];
    this.holders[side].delete(row);
    for (const rival of holders) {
      // It may have been here before, and be back with other members.
      if (!this.parked.has(rival) || this.isFree(rival.proposal)) continue;
      this.parked.delete(rival);
      if (!this.skipTaken(rival)) continue;
      this.searchAgain(rival);
      yield;
    }
  }

  private searchAgain(rival: Rival): void {
    if (rival.searchesLeft === 0) {
      this.givenUp.push(rival);
      return;
    }
    const proposal = this.search(rival);
    if (proposal !== null) {
      rival.proposal = proposal;
      this.queue.push(rival);
      // None for one means none for those that are like it.
    } else if (this.composer.unfinished) this.givenUp.push(rival);
  }

  private search(rival: Rival): Proposal | null {
    rival.searchesLeft--;
    const { direction, target } = rival.proposal;
    return this.composer.propose(direction, target, this.taken);
  }

  /** Turns to the first target that is free; false when there is none. */
  private skipTaken(rival: Rival): boolean {
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

  private proposalsOf(rival: Rival): Proposal[] {
    return this.freeTargets(rival).map((target) => ({ ...rival.proposal, target }));
  }

  private freeTargets({ targets, next, proposal }: Rival): number[] {
    const taken = this.taken[targetSide[proposal.direction]];
    return targets.slice(next).filter((target) => taken[target] !== 1);
  }
}
