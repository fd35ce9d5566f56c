import {
  compareGroups,
  memberSide,
  maxOtherSets,
  targetSide,
  type CompiledComposition,
  type Composer,
  type CompositeDirection,
  type CompositionPool,
  type Proposal,
  type RelationFailures,
  type Side,
  type Taken,
} from '@tieout/engine';
import type { ReviewedComposite } from '../../results/composites';
import type { Directory } from '../stage/directory';

/** Member sets, as texts, by direction and target. */
export type RejectedGroups = ReadonlyMap<string, ReadonlySet<string>>;

/** Indexes rejected composites by target. @param rows the rows of records in the pool */
export function rejectedGroups(
  composites: readonly ReviewedComposite[],
  rows: Record<Side, Directory>,
): RejectedGroups {
  const groups = new Map<string, Set<string>>();
  for (const { direction, targetRecordId, memberRecordIds } of composites) {
    const target = targetKey(direction, rows[targetSide[direction]].seqOf(targetRecordId));
    const members = rowsKey(memberRecordIds.map((id) => rows[memberSide[direction]].seqOf(id)));
    const known = groups.get(target) ?? new Set();
    groups.set(target, known.add(members));
  }
  return groups;
}

const targetKey = (direction: CompositeDirection, row: number): string => `${direction} ${row}`;
const rowsKey = (rows: readonly number[]): string => [...rows].sort((a, b) => a - b).join(' ');

/** Max members of rejected groups that a search leaves out together. */
const maxLeftOut = 3;
/** Max searches for another group of a target. What lies beyond is not seen: a group is at most POSSIBLE then. */
const maxSearches = 200;

/** The best group of a target without some rows of the members' side. */
interface Alternative {
  proposal: Proposal;
  without: readonly number[];
}

/**
 * Returns a composer that never proposes a rejected group. Any other group of the target lacks a member of the rejected
 * one or contains all of it; the best group that lacks a member is proposed instead.
 */
export function withoutRejected(
  composition: CompiledComposition,
  composer: Composer,
  pool: CompositionPool,
  rejected: RejectedGroups,
): Composer {
  return rejected.size === 0 ? composer : new RejectingComposer(composition, composer, pool, rejected);
}

class RejectingComposer implements Composer {
  unfinished = false;
  /** True if the latest search for another group left some out of sight, which may be better or as good. */
  private isCut = false;
  /** A second composer for searches with members left out, which would invalidate the caches of the first one. */
  private other: Composer | undefined;

  constructor(
    private readonly composition: CompiledComposition,
    private readonly composer: Composer,
    private readonly pool: CompositionPool,
    private readonly rejected: RejectedGroups,
  ) {}

  propose(direction: CompositeDirection, target: number, taken: Taken): Proposal | null {
    const proposal = this.composer.propose(direction, target, taken);
    this.unfinished = this.composer.unfinished;
    if (proposal === null || !isRejected(proposal, this.rejected)) return proposal;
    this.isCut = false;
    const next = this.nextBest(proposal, taken);
    this.unfinished = next === null && this.isCut;
    return next !== null && this.isCut ? doubtful(next) : next;
  }

  /** Searches for another group evaluate the same pairs again. */
  get failures(): RelationFailures {
    return this.composer.failures;
  }

  /** A target with a rejected group is like no other target. */
  equivalenceKey(direction: CompositeDirection, target: number): string {
    const key = targetKey(direction, target);
    return this.rejected.has(key) ? key : this.composer.equivalenceKey(direction, target);
  }

  take(proposal: Proposal, taken: Taken): void {
    this.composer.take(proposal, taken);
  }

  private nextBest(first: Proposal, taken: Taken): Proposal | null {
    const seen = new Set<string>();
    let open: Alternative[] = [{ proposal: first, without: [] }];
    for (let best = open.shift(); best !== undefined; best = open.shift()) {
      if (!isRejected(best.proposal, this.rejected)) return this.markTies(best.proposal, open);
      open = [...open, ...this.alternatives(best, taken, seen)].sort((one, other) => this.compare(one, other));
    }
    return null;
  }

  /** Searches once for each member of a rejected group, with this member left out too. */
  private alternatives({ proposal, without }: Alternative, taken: Taken, seen: Set<string>): Alternative[] {
    const { direction, target, members } = proposal;
    const found: Alternative[] = [];
    for (const member of members) {
      const fewer = [...without, member];
      const key = rowsKey(fewer);
      if (seen.has(key)) continue;
      if (fewer.length > maxLeftOut || seen.size === maxSearches) {
        this.isCut = true;
        break;
      }
      seen.add(key);
      this.other ??= this.composition.open(this.pool);
      const next = this.other.propose(direction, target, leaveOut(taken, memberSide[direction], fewer));
      if (next !== null) found.push({ proposal: next, without: fewer });
      else if (this.other.unfinished) this.isCut = true;
    }
    return found;
  }

  /** Sorts better groups first. Among equal ones rejected ones go first, since they may lead to further equal ones. */
  private compare(one: Alternative, other: Alternative): number {
    return (
      compareGroups(one.proposal, other.proposal) ||
      Number(isRejected(other.proposal, this.rejected)) - Number(isRejected(one.proposal, this.rejected))
    );
  }

  /** Makes a proposal ambiguous where a search saw an equally good group, or several found different ones. */
  private markTies(best: Proposal, others: readonly Alternative[]): Proposal {
    const ties = new Set<string>();
    let otherSets = setsBeside(best);
    for (const { proposal } of others) {
      if (compareGroups(best, proposal) !== 0 || isRejected(proposal, this.rejected)) continue;
      ties.add(this.signatureOf(proposal));
      otherSets = Math.max(otherSets, setsBeside(proposal));
    }
    ties.delete(this.signatureOf(best));
    otherSets = Math.min(Math.max(ties.size, otherSets), maxOtherSets);
    if (otherSets === 0) return best;
    return { ...best, decision: 'POSSIBLE', explanation: { ...best.explanation, ambiguous: true, otherSets } };
  }

  /** Returns the same text for groups that differ only in the choice among equal records. */
  private signatureOf({ direction, members }: Proposal): string {
    const { units, day, group, content } = this.pool[memberSide[direction]];
    return members
      .map((row) => [units[row], day[row], group[row], content?.[row]].join(' '))
      .sort()
      .join();
  }
}

/** Returns the number of equally good groups that the search for a proposal saw. */
function setsBeside({ explanation: { otherSets } }: Proposal): number {
  return typeof otherSets === 'number' ? otherSets : 0;
}

/** Returns a proposal as one whose search ended before it had seen all groups. */
function doubtful(proposal: Proposal): Proposal {
  const search = { ...(proposal.explanation['search'] as object), complete: false };
  return { ...proposal, decision: 'POSSIBLE', explanation: { ...proposal.explanation, search } };
}

function leaveOut(taken: Taken, side: Side, rows: readonly number[]): Taken {
  const marks = taken[side].slice();
  for (const row of rows) marks[row] = 1;
  return { ...taken, [side]: marks };
}

function isRejected({ direction, target, members }: Proposal, rejected: RejectedGroups): boolean {
  return rejected.get(targetKey(direction, target))?.has(rowsKey(members)) === true;
}

/** Replaces the proposals that reviews meanwhile rejected, or whose amounts they changed, by new ones. */
export function notReviewed(
  proposals: readonly Proposal[],
  { pool, rejected }: { pool: CompositionPool; rejected: RejectedGroups },
  proposeAgain: (reviewed: Proposal) => Proposal | null,
): Proposal[] {
  const hasOtherAmounts = ({ direction, target, targetUnits, members }: Proposal): boolean => {
    const { heldUnits, restsAreMembers } = pool[memberSide[direction]];
    return (
      targetUnits !== pool[targetSide[direction]].units[target] ||
      (restsAreMembers !== true && members.some((member) => (heldUnits?.[member] ?? 0) !== 0))
    );
  };
  return proposals.flatMap((proposal) =>
    isRejected(proposal, rejected) || hasOtherAmounts(proposal) ? (proposeAgain(proposal) ?? []) : [proposal],
  );
}
