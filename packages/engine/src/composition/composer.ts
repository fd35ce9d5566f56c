import { effectiveParams } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { unionReferences } from '../expression/references';
import type { References } from '../expression/types';
import type { NamedExpression } from '../scoring/comparison';
import { contentOf, readFacts } from './facts';
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
import { relationOf, selected } from './relation';
import { RelationFailures } from './relation-failures';
import type { RelationMatcher } from './relation';
import type { CompositionSettings } from './settings';
import { memberSide, targetSide } from './types';
import { readTarget } from './target';
import { findWholeGroup } from './whole-groups';

/** Compiles the composition of a rule set with valid parameters; null when it does not compose. */
export function compileComposition(
  def: RuleSetDefinition,
  {
    reads,
    ...expressions
  }: {
    filters: readonly NamedExpression[];
    matchers: readonly RelationMatcher[];
    /** Fields that the expressions and keys of the rule set read. */
    reads: References;
  },
): CompiledComposition | null {
  const params = effectiveParams(def);
  const { composition } = params;
  if (!composition.enabled) return null;
  const relation = relationOf(params, expressions);
  const settings = compositionSettings(def, relation);
  const references = compositionReferences(def);
  const allReads = unionReferences([reads, references]);
  return {
    directions: settings.directions,
    references,
    skipAlreadyMatched: composition.skipAlreadyMatched,
    isKeyed: composition.matchKeys.length > 0,
    signs: settings.signs,
    read: (side, record) => {
      const facts = readFacts(params, side, record);
      return {
        ...facts,
        related: relation === null ? null : relation.read(side, record),
        content: contentOf(composition, side, { facts, values: selected(record, allReads[side]) }),
      };
    },
    open: (pool, maxNodes = settings.maxNodes) => new PoolComposer({ ...settings, maxNodes }, pool),
  };
}

/** Finds members for targets. It builds an index of the pool when it is first needed, and keeps it. */
export class PoolComposer implements Composer {
  unfinished = false;
  failures = new RelationFailures();
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
    this.failures = new RelationFailures();
    if (taken[targetSide[direction]][target] === 1) return null;
    const facts = readTarget(this.settings, this.pool, { direction, row: target, failures: this.failures });
    if (facts === null) return null;
    const search = new TargetSearch(this.settings, this.source(direction, facts.sign, taken), facts);
    if (search.days === null) return null;
    const proposal = this.best(search, direction);
    this.unfinished = proposal === null && !search.complete;
    return proposal;
  }

  /**
   * Returns the first proposal of the kinds of groups. With evidence, a complete group whose members all have some goes
   * before one of an earlier kind with members that have none.
   */
  private best(search: TargetSearch, direction: CompositeDirection): Proposal | null {
    let first: Proposal | null = null;
    for (const runSearch of this.searches(search)) {
      const found = runSearch();
      if (found === null) continue;
      const others = search.members.exchanges.count(found.places, search.target.evidenceOf);
      const find = { ...found, otherSets: found.otherSets + others };
      const proposal = propose(search, find, direction, this.pool);
      if (proposal.score < this.settings.thresholds.possible) continue;
      const isNamed = this.settings.relation?.usesEvidence !== true || search.isNamed(found.places);
      if (isNamed && (first === null || proposal.status === 'COMPLETE')) return proposal;
      first ??= proposal;
    }
    return first;
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
