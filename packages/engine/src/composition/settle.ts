import { manySide, targetSide } from './composer';
import { MOST_SEARCHES } from './limits';
import { PriorityQueue } from './priority-queue';
import { compareProposals } from './rank';
import type { Composer, Proposal, Taken } from './types';

/** Targets that are always proposed the same members, by row, and what the first free one of them would take. */
interface Rival {
  targets: number[];
  next: number;
  proposal: Proposal;
  searchesLeft: number;
}

/**
 * Competition for members: takes one proposal a target at most and gives the final composites by rank. The best goes
 * first (`compareProposals`); a MATCH takes its target and its members, which is marked in `taken`; who lost members
 * searches again among what is free. A POSSIBLE takes nothing and holds nothing that a MATCH has taken. Targets that are
 * alike queue behind one another, so that each of them costs one search. `onStep` is called after each turn, which is one
 * search at most.
 */
export function settle(composer: Composer, proposals: readonly Proposal[], taken: Taken, onStep?: () => void): Proposal[] {
  const turns = settleInTurns(composer, proposals, taken);
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
    onStep?.();
  }
}

/** What `settle` does, turn by turn: whoever asks for the turns can do something else in between, or stop asking. */
export function settleInTurns(composer: Composer, proposals: readonly Proposal[], taken: Taken): Generator<void, Proposal[], void> {
  return new Competition(composer, taken).run(proposals);
}

class Competition {
  private readonly queue = new PriorityQueue<Rival>((one, other) => compareProposals(one.proposal, other.proposal));
  private possible: Rival[] = [];
  private readonly matches: Proposal[] = [];

  constructor(private readonly composer: Composer, private readonly taken: Taken) {}

  *run(proposals: readonly Proposal[]): Generator<void, Proposal[], void> {
    for (const rival of this.rivals(proposals)) this.queue.push(rival);
    do yield* this.empty(); while (yield* this.recall());
    return [...this.matches, ...this.possible.flatMap((rival) => this.proposalsOf(rival))].sort(compareProposals);
  }

  private rivals(proposals: readonly Proposal[]): Rival[] {
    const rivals = new Map<string, Rival>();
    for (const proposal of [...proposals].sort((one, other) => one.target - other.target)) {
      const likeness = this.composer.likeness(proposal.direction, proposal.target);
      const known = rivals.get(likeness);
      if (known === undefined) rivals.set(likeness, { targets: [proposal.target], next: 0, proposal, searchesLeft: MOST_SEARCHES });
      else {
        known.targets.push(proposal.target);
        known.searchesLeft += MOST_SEARCHES;
      }
    }
    return [...rivals.values()];
  }

  private *empty(): Generator<void, void, void> {
    for (let rival = this.queue.pop(); rival !== undefined; rival = this.queue.pop()) {
      yield;
      if (!this.skipTaken(rival)) continue;
      if (!this.isFree(rival.proposal)) this.searchAgain(rival);
      else if (rival.proposal.decision === 'POSSIBLE') this.possible.push(rival);
      else this.match(rival);
    }
  }

  private match(rival: Rival): void {
    const { proposal } = rival;
    this.composer.take(proposal, this.taken);
    this.matches.push(proposal);
    if (this.skipTaken(rival)) this.queue.push(rival);
  }

  /** Whether POSSIBLE ones have lost members and search again. */
  private *recall(): Generator<void, boolean, void> {
    const losers = this.possible.filter((rival) => this.skipTaken(rival) && !this.isFree(rival.proposal));
    if (losers.length === 0) return false;
    const lost = new Set(losers);
    this.possible = this.possible.filter((rival) => !lost.has(rival));
    for (const rival of losers) {
      this.searchAgain(rival);
      yield;
    }
    return true;
  }

  private searchAgain(rival: Rival): void {
    if (rival.searchesLeft === 0) return;
    rival.searchesLeft -= 1;
    const { direction, target } = rival.proposal;
    const proposal = this.composer.propose(direction, target, this.taken);
    // None for one means none for those that are like it.
    if (proposal === null) return;
    rival.proposal = proposal;
    this.queue.push(rival);
  }

  /** Turns to the first target that is free; false when there is none. */
  private skipTaken(rival: Rival): boolean {
    const { targets, proposal } = rival;
    const taken = this.taken[targetSide(proposal.direction)];
    while (rival.next < targets.length && taken[targets[rival.next] as number] === 1) rival.next += 1;
    const target = targets[rival.next];
    if (target === undefined) return false;
    if (target !== proposal.target) rival.proposal = { ...proposal, target };
    return true;
  }

  private isFree({ direction, members }: Proposal): boolean {
    const taken = this.taken[manySide(direction)];
    return members.every((member) => taken[member] !== 1);
  }

  private proposalsOf({ targets, next, proposal }: Rival): Proposal[] {
    const taken = this.taken[targetSide(proposal.direction)];
    return targets.slice(next).filter((target) => taken[target] !== 1).map((target) => ({ ...proposal, target }));
  }
}
