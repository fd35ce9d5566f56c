import {
  PoolBuilder,
  rarityField,
  recordState,
  type CompiledRuleSet,
  type JsonObject,
  type Side,
} from '@tieout/engine';
import { Placer, PlacingErrors, withRarities } from './placer';
import type { SideTable } from './side-table';

export type Complete = Record<Side, (value: JsonObject) => JsonObject>;

/** Compiled rules, and what places the records of both sides under them. */
export class Placement {
  readonly errors = new PlacingErrors();
  readonly pool: PoolBuilder | null;
  readonly placers: Record<Side, Placer>;
  /** True if a record can be placed once it is read: no other one decides on what the rule set reads of it. */
  readonly placesNow: boolean;

  /** True if a thread can place the records of one side alone: nothing of the rules keeps more of them than a place. */
  readonly placesApart: boolean;

  constructor(readonly compiled: CompiledRuleSet) {
    this.pool = compiled.composition === null ? null : new PoolBuilder(compiled.composition);
    const placer = (side: Side): Placer => new Placer(compiled, side, this.pool, this.errors);
    this.placers = { left: placer('left'), right: placer('right') };
    const { left, right } = compiled.references;
    this.placesNow = ![...left.keys, ...right.keys].some((key) => rarityField(key) !== undefined);
    this.placesApart = this.placesNow && this.pool === null && compiled.listed === null;
  }

  /** Places what is not placed yet. Returns how a packed value becomes what the rule set reads. */
  async finish(tables: Record<Side, SideTable>, isPlaced: Record<Side, boolean>): Promise<Complete> {
    const { compiled } = this;
    const complete = (side: Side): Complete[Side] => {
      const rarities = withRarities(compiled, side, tables[side]);
      return (value) => compiled.withRemaining(side, rarities === null ? value : rarities(value));
    };
    const completes = { left: complete('left'), right: complete('right') };
    for (const side of ['left', 'right'] as const) {
      if (isPlaced[side]) continue;
      const table = tables[side];
      for (let seq = 0; seq < table.length; seq++) {
        if (table.state[seq] !== recordState.candidate) continue;
        const pending = this.placers[side].place(table, seq, completes[side](table.records.readAt(seq)));
        if (pending) await pending;
      }
    }
    return completes;
  }
}
