import { rescale, settle } from '@tieout/engine';
import type { CompositionFacts, CompositionPool, CompositionSide, Proposal, Side, Taken } from '@tieout/engine';
import { amountScale, idOf, type MatchedPairs } from './sample-engine';

export interface Composite {
  target: string;
  members: string[];
  status: string;
  decision: string;
}

function poolSide(facts: CompositionFacts[], codes: Map<string, number>): CompositionSide {
  const unitsAt = ({ amount }: Pick<CompositionFacts, 'amount'>): number =>
    amount.ok ? (rescale(amount.units, amount.scale, amountScale) ?? Number.NaN) : Number.NaN;
  const codeOf = (group: string | null): number => {
    if (group === null) return -1;
    if (!codes.has(group)) codes.set(group, codes.size);
    return codes.get(group) as number;
  };
  return {
    length: facts.length,
    units: Float64Array.from(facts, unitsAt),
    day: Int32Array.from(facts, ({ day }) => day),
    group: Int32Array.from(facts, ({ group }) => codeOf(group)),
    totalCount: Int32Array.from(facts, ({ totalCount }) => totalCount ?? 0),
    position: Int32Array.from(facts, ({ position }) => position ?? 0),
    unitValue: Float64Array.from(facts, ({ unitValue }) => unitsAt({ amount: unitValue })),
  };
}

/** The composites that a rule set finds in what its pairs leave over. */
export function compose({ ruleSet, pairs, ...sides }: MatchedPairs): Composite[] {
  const { composition } = ruleSet;
  if (!composition) throw new Error('the rule set composes nothing');
  const codes = new Map<string, number>();
  const sideOf = (side: Side): CompositionSide =>
    poolSide(
      sides[side].map((row) => composition.read(side, row)),
      codes,
    );
  const [left, right] = [sideOf('left'), sideOf('right')];
  const pool: CompositionPool = { left, right, amountScale, groupNames: [...codes.keys()] };
  const matched = new Set(pairs.flatMap((pair) => pair.split('|')));
  const takenOf = (side: Side): Uint8Array => Uint8Array.from(sides[side], (row) => (matched.has(idOf(row)) ? 1 : 0));
  const taken: Taken = { left: takenOf('left'), right: takenOf('right') };
  const composer = composition.open(pool);
  const proposals = composition.directions.flatMap((direction) => {
    const targets = direction === 'one_to_many' ? pool.left.length : pool.right.length;
    return Array.from({ length: targets }, (_, target) => composer.propose(direction, target, taken)).filter(
      (proposal) => proposal !== null,
    );
  });
  const named = ({ direction, target, members, status, decision }: Proposal): Composite => {
    const [one, many]: [Side, Side] = direction === 'one_to_many' ? ['left', 'right'] : ['right', 'left'];
    const name = (side: Side, row: number): string => idOf(sides[side][row] ?? {});
    return { target: name(one, target), members: members.map((row) => name(many, row)).sort(), status, decision };
  };
  return settle(composer, proposals, taken).map(named);
}
