import { effectiveParams } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import type { Expression } from '../expression/types';
import { readFacts } from './facts';
import { compositionReferences } from './fields';
import { compositionSettings } from './settings';
import type {
  CompiledComposition,
  Composer,
  CompositeDirection,
  CompositionPool,
  CompositionSide,
  Proposal,
  Taken,
} from './types';
import type { Side } from '../values/types';
import { findPartial, findSubsetOf } from './subsets';
import type { CompositeFind } from './best-composite';
import { TargetSearch } from './target-search';
import { InstallmentSearch } from './installments';
import { MemberIndex } from './member-index';
import { MemberSource } from './member-source';
import { propose } from './proposal';
import { relationOf } from './relation';
import type { RelationMatcher } from './relation';
import type { CompositionSettings } from './settings';
import { memberSide, targetSide } from './types';
import { readTarget } from './target';
import { findWholeGroup } from './whole-groups';

/** Compiles the composition of a rule set with valid parameters; null when it does not compose. */
export function compileComposition(
  def: RuleSetDefinition,
  expressions: { filters: readonly Expression[]; matchers: readonly RelationMatcher[] },
): CompiledComposition | null {
  const params = effectiveParams(def);
  const { composition } = params;
  if (!composition.enabled) return null;
  const relation = relationOf(params, expressions);
  const settings = compositionSettings(def, relation);
  return {
    directions: settings.directions,
    references: compositionReferences(def),
    skipAlreadyMatched: composition.skipAlreadyMatched,
    isKeyed: composition.matchKeys.length > 0,
    signs: settings.signs,
    read: (side, record) => ({
      ...readFacts(params, side, record),
      related: relation === null ? null : relation.read(side, record),
    }),
    open: (pool) => new PoolComposer(settings, pool),
  };
}

/** Finds members for targets. It builds an index of the pool when it is first needed, and keeps it. */
export class PoolComposer implements Composer {
  unfinished = false;
  private readonly indexes = new Map<string, MemberIndex>();
  private readonly sources = new Map<string, MemberSource>();
  private seen: Taken | undefined;

  constructor(
    private readonly settings: CompositionSettings,
    private readonly pool: CompositionPool,
  ) {}

  propose(direction: CompositeDirection, target: number, taken: Taken): Proposal | null {
    this.useTaken(taken);
    this.unfinished = false;
    if (taken[targetSide[direction]][target] === 1) return null;
    const facts = readTarget(this.settings, this.pool, { direction, row: target });
    if (facts === null) return null;
    const search = new TargetSearch(this.settings, this.source(direction, facts.sign, taken), facts);
    if (search.days === null) return null;
    for (const runSearch of this.searches(search)) {
      const find = runSearch();
      const proposal = find === null ? null : propose(search, find, direction, this.pool);
      if (proposal !== null && proposal.score >= this.settings.thresholds.possible) return proposal;
    }
    this.unfinished = !search.complete;
    return null;
  }

  equivalenceKey(direction: CompositeDirection, target: number): string {
    const side = this.pool[targetSide[direction]];
    const columns = [
      side.units,
      side.day,
      side.totalCount,
      side.unitValue,
      side.heldUnits,
      side.matchKey,
      side.related,
    ];
    return [direction, ...columns.map((column) => column?.[target])].join(' ');
  }

  take({ direction, target, members }: Proposal, taken: Taken): void {
    this.useTaken(taken);
    this.mark(targetSide[direction], target, taken);
    for (const member of members) this.mark(memberSide[direction], member, taken);
  }

  /**
   * Yields the searches in the order of preference of their results. A target whose plan has begun gets no other
   * set.
   */
  private *searches(search: TargetSearch): Generator<() => CompositeFind | null> {
    const { installments, grouped, preferCompleteGroup, partial } = this.settings;
    const plans = installments.enabled ? new InstallmentSearch(search) : null;
    if (plans !== null) yield () => plans.findComplete();
    if (grouped && preferCompleteGroup) yield () => findWholeGroup(search);
    if (plans !== null && partial.enabled) yield () => plans.findPartial();
    yield () => findSubsetOf(search);
    if (partial.enabled) yield () => findPartial(search);
  }

  private mark(side: Side, row: number, taken: Taken): void {
    taken[side][row] = 1;
    for (const [key, source] of this.sources) if (key.startsWith(side)) source.markTaken(row);
  }

  /** Forgets everything derived from another `taken`. */
  private useTaken(taken: Taken): void {
    if (taken === this.seen) return;
    this.sources.clear();
    this.seen = taken;
  }

  private source(direction: CompositeDirection, sign: 1 | -1, taken: Taken): MemberSource {
    const side = memberSide[direction];
    const key = `${side} ${sign}`;
    const known = this.sources.get(key);
    if (known !== undefined) return known;
    const made = new MemberSource(this.index(key, this.pool[side], sign), this.settings, taken[side]);
    this.sources.set(key, made);
    return made;
  }

  private index(key: string, side: CompositionSide, sign: 1 | -1): MemberIndex {
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const made = new MemberIndex(side, sign, this.settings);
    this.indexes.set(key, made);
    return made;
  }
}
