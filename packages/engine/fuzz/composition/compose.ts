import { compileRuleSet } from '../../src/rule-set/compile';
import type { RuleSetParams } from '../../src/definition/types';
import type { JsonObject } from '../../src/values/types';
import { poolOf } from '../../src/composition/pool-of';
import { settle } from '../../src/composition/settle';
import type { CompiledComposition, Composer, CompositionPool, Proposal, Taken } from '../../src/composition/types';

export type LabelledRecord = JsonObject & { id: string };

export interface Composition {
  params: Partial<RuleSetParams>;
  /** The condition in addition to matchers. */
  jsonataExpr?: string;
  left: readonly LabelledRecord[];
  right: readonly LabelledRecord[];
  /** Ids of records that are in a MATCH pair. */
  matched?: readonly string[];
}

/** A composite with the ids of its records. */
export type LabelledComposite = Omit<Proposal, 'target' | 'members'> & { target: string; members: string[] };

/** The way in which the work is done, which makes no difference. */
export interface Order {
  /** Turns the targets around before they search. */
  reversed?: boolean;
}

/** Everything from records to composites, as a job does it. */
export function compose(
  { params, jsonataExpr, left, right, matched = [] }: Composition,
  { reversed = false }: Order = {},
): LabelledComposite[] {
  const composition = compile(params, jsonataExpr);
  const sides = { left: byId(left), right: byId(right) };
  const pool = poolOf(composition, sides);
  const takes = (records: readonly LabelledRecord[]): Uint8Array =>
    Uint8Array.from(records, ({ id }) => Number(composition.skipAlreadyMatched && matched.includes(id)));
  const taken = { left: takes(sides.left), right: takes(sides.right) };
  const composer = composition.open(pool);
  const proposals = proposeAll(composition, composer, pool, taken, reversed);
  // Between the two phases proposals are stored, and another process continues with them.
  const stored = JSON.parse(JSON.stringify(proposals)) as Proposal[];
  return settle(composition.open(pool), stored, taken).map((proposal) => {
    const [targets, members] =
      proposal.direction === 'one_to_many' ? [sides.left, sides.right] : [sides.right, sides.left];
    return {
      ...proposal,
      target: idAt(targets, proposal.target),
      members: proposal.members.map((row) => idAt(members, row)),
    };
  });
}

/** Null where the parameters switch composition off. */
export function compileEnabled(params: Partial<RuleSetParams>, condition?: string): CompiledComposition | null {
  const isBatch = params.matchers !== undefined;
  return compileRuleSet({
    engine: isBatch ? 'jsonata-batch' : 'jsonata',
    jsonataExpr: condition ?? (isBatch ? null : 'true'),
    version: 1,
    params: { Tmatch: 0.8, Tpossible: 0.5, ...params, composition: { enabled: true, ...params.composition } },
  }).composition;
}

export function compile(params: Partial<RuleSetParams>, condition?: string): CompiledComposition {
  const composition = compileEnabled(params, condition);
  if (composition === null) throw new Error('composition is off');
  return composition;
}

export function proposeAll(
  { directions }: CompiledComposition,
  composer: Composer,
  pool: CompositionPool,
  taken: Taken,
  reversed = false,
): Proposal[] {
  return directions.flatMap((direction) => {
    const rows = [...Array(direction === 'one_to_many' ? pool.left.length : pool.right.length).keys()];
    return (reversed ? rows.reverse() : rows)
      .map((row) => composer.propose(direction, row, taken))
      .filter((proposal) => proposal !== null);
  });
}

function byId(records: readonly LabelledRecord[]): LabelledRecord[] {
  return [...records].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function idAt(records: readonly LabelledRecord[], row: number): string {
  return (records[row] as LabelledRecord).id;
}
