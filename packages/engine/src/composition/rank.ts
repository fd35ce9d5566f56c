import type { CompositeKind, Proposal } from './types';

const kindRank: Readonly<Record<CompositeKind, number>> = { installments: 0, group: 1, subset: 2, partial: 3 };

/** Compares competing proposals: kind, difference, evidence, members, spread, target, direction. */
export function compareProposals(one: Proposal, other: Proposal): number {
  return (
    kindRank[one.kind] - kindRank[other.kind] ||
    delta(one) - delta(other) ||
    evidence(other) - evidence(one) ||
    one.members.length - other.members.length ||
    one.spread - other.spread ||
    one.target - other.target ||
    Number(one.direction === 'many_to_one') - Number(other.direction === 'many_to_one')
  );
}

/** Compares the groups that one target could take; 0 for equally good ones. */
export function compareGroups(one: Proposal, other: Proposal): number {
  return (
    kindRank[one.kind] - kindRank[other.kind] ||
    Number(isOutside(one)) - Number(isOutside(other)) ||
    delta(one) - delta(other) ||
    evidence(other) - evidence(one) ||
    one.members.length - other.members.length ||
    other.placed - one.placed ||
    other.inside - one.inside ||
    one.spread - other.spread
  );
}

function isOutside({ inside, members }: Proposal): boolean {
  return inside < members.length;
}

function delta({ targetUnits, composedUnits }: Proposal): number {
  return Math.abs(composedUnits - targetUnits);
}

const evidence = (proposal: Proposal): number => proposal.evidence ?? 0;
