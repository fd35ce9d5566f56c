import type { AmountReading, CompositionFacts, Side } from '@tieout/engine';
import type { BinaryCopyWriter } from '@tieout/infra';
import { bytesPerId } from '../stage/directory';
import { beginStageRow, stageSides } from '../stage/staging';
import { emptyFacts, factsBytes } from './facts-block';
import { groupName } from './group-name';

/** Collects what composition has to know of the records of one side, and stages it in blocks in the order of arrival. */
export class FactsBuffer {
  /** Records taken so far. */
  total = 0;
  private length = 0;
  private columns;
  private names = new Map<string, number>();
  private readonly full: { rows: number; bytes: Uint8Array }[] = [];
  private blocks = 0;

  constructor(
    private readonly side: Side,
    private readonly blockRows: number,
  ) {
    this.columns = emptyFacts(blockRows);
  }

  /** The id is the 16 bytes at `idAt`. */
  add(facts: CompositionFacts, ids: Uint8Array, idAt: number): void {
    const { columns, length } = this;
    const { amount, unitValue } = facts;
    columns.units[length] = unitsOf(amount);
    columns.scale[length] = amount.ok ? amount.scale : 0;
    columns.unitValue[length] = unitValue.ok ? unitValue.units : NaN;
    columns.unitScale[length] = unitValue.ok ? unitValue.scale : 0;
    columns.day[length] = facts.day;
    columns.totalCount[length] = facts.totalCount ?? 0;
    columns.position[length] = facts.position ?? 0;
    columns.group[length] = facts.group === null ? -1 : this.placeOf(groupName(facts.group));
    for (let i = 0; i < bytesPerId; i++) columns.ids[length * bytesPerId + i] = ids[idAt + i] as number;
    this.length++;
    this.total++;
    if (this.length === this.blockRows) this.endBlock();
  }

  /** Writes the blocks that are full; at the `end` what is left, too. */
  async flush(stage: BinaryCopyWriter, end: boolean): Promise<void> {
    if (end && this.length > 0) this.endBlock();
    for (const { rows, bytes } of this.full.splice(0)) {
      beginStageRow(stage, { side: stageSides.facts[this.side], run: 0, block: this.blocks++, rows });
      stage.bytes(bytes);
      await stage.endRow();
    }
  }

  private placeOf(name: string): number {
    let place = this.names.get(name);
    if (place === undefined) this.names.set(name, (place = this.names.size));
    return place;
  }

  private endBlock(): void {
    this.full.push({ rows: this.length, bytes: factsBytes(this.columns, this.length, [...this.names.keys()]) });
    this.length = 0;
    this.names = new Map();
  }
}

function unitsOf(amount: AmountReading): number {
  if (amount.ok) return amount.units;
  return amount.reason === 'out_of_range' ? Infinity : NaN;
}
