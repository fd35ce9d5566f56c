import type { Side } from '../values/types';
import { findPartial, findSubsetOf } from './subsets';
import type { Find } from './find';
import { Hunt } from './hunt';
import { InstallmentHunt } from './installments';
import { ManyIndex } from './many-index';
import { MemberSource } from './member-source';
import { propose } from './proposal';
import type { CompositionSettings } from './settings';
import { memberSide, targetSide } from './sides';
import { readTarget } from './target';
import type { Composer, CompositeDirection, CompositionPool, CompositionSide, Proposal, Taken } from './types';
import { findWholeGroup } from './whole-groups';

/** Finds members for targets. What it indexes of the pool is made when it is first needed, and kept. */
export class PoolComposer implements Composer {
  unfinished = false;
  private readonly indexes = new Map<string, ManyIndex>();
  private readonly sources = new Map<string, MemberSource>();
  private seen: Taken | undefined;

  constructor(
    private readonly settings: CompositionSettings,
    private readonly pool: CompositionPool,
  ) {}

  propose(direction: CompositeDirection, target: number, taken: Taken): Proposal | null {
    this.see(taken);
    this.unfinished = false;
    if (taken[targetSide[direction]][target] === 1) return null;
    const facts = readTarget(this.settings, this.pool[targetSide[direction]], target);
    if (facts === null) return null;
    const hunt = new Hunt(this.settings, this.source(direction, facts.sign, taken), facts);
    if (hunt.days === null) return null;
    for (const search of this.searches(hunt)) {
      const find = search();
      if (find !== null) return propose(hunt, find, direction, this.pool);
    }
    this.unfinished = !hunt.complete;
    return null;
  }

  likeness(direction: CompositeDirection, target: number): string {
    const side = this.pool[targetSide[direction]];
    return [direction, side.units[target], side.day[target], side.totalCount[target], side.unitValue[target]].join(' ');
  }

  take({ direction, target, members }: Proposal, taken: Taken): void {
    this.see(taken);
    this.mark(targetSide[direction], target, taken);
    for (const member of members) this.mark(memberSide[direction], member, taken);
  }

  /** In the order in which their results are preferred. Where a plan has begun, no other set is looked for. */
  private *searches(hunt: Hunt): Generator<() => Find | null> {
    const { installments, grouped, preferCompleteGroup, partial } = this.settings;
    const plans = installments.enabled ? new InstallmentHunt(hunt) : null;
    if (plans !== null) yield () => plans.findComplete();
    if (grouped && preferCompleteGroup) yield () => findWholeGroup(hunt);
    if (plans !== null && partial.enabled) yield () => plans.findPartial();
    yield () => findSubsetOf(hunt);
    if (partial.enabled) yield () => findPartial(hunt);
  }

  private mark(side: Side, row: number, taken: Taken): void {
    taken[side][row] = 1;
    for (const [key, source] of this.sources) if (key.startsWith(side)) source.lose(row);
  }

  /** Everything that is remembered of one `taken` is worth nothing for another. */
  private see(taken: Taken): void {
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

  private index(key: string, side: CompositionSide, sign: 1 | -1): ManyIndex {
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const made = new ManyIndex(side, sign, this.settings);
    this.indexes.set(key, made);
    return made;
  }
}
