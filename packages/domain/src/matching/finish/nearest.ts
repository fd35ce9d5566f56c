import { effectiveParams, maxNearestValues, scoreScale, type Side } from '@tieout/engine';
import { unmatchedReasons, type StoredNearest, type UnmatchedList } from '../../results/unmatched';
import { bytesPerId, directoryOf } from '../stage/directory';
import { eachNearest } from '../stage/nearest-block';
import { stageSides } from '../stage/staging';
import { stageOf, type FinishEntry, type FinishRun } from './run';

/** Records of a side, the newest ones, whose nearest pairs are kept: some 50 bytes each are held in memory. */
const maxRecords = 1_000_000;

const belowThreshold = unmatchedReasons.indexOf('below_threshold');

/**
 * Reads what the batches of all entries found nearest to the records of a side, and chooses the best for each record
 * that has no pair of Tpossible; of equal ones the partner with the smaller id.
 * @throws StageLostError
 */
export async function nearestOf(
  run: FinishRun,
  entries: readonly FinishEntry[],
  side: Side,
  { ids, reasons }: UnmatchedList,
): Promise<(place: number) => StoredNearest | undefined> {
  const first = Math.max(0, reasons.length - maxRecords);
  const records = directoryOf(ids, reasons);
  const best = new BestPairs(reasons.length - first, Math.max(0, ...entries.map(valuesOf)));
  for (const entry of entries) {
    const { position, definition } = entry;
    const scale = scoreScale(definition.params.Tmatch);
    const nearest = stageOf(run, entry).read(run.client, { side: stageSides.nearest[side], order: 'run' });
    for await (const { rows, bytes } of nearest) {
      eachNearest(bytes, rows, (own, partner, { score, values }) => {
        const place = records.seqAt(bytes, own);
        if (place < first || reasons[place] !== belowThreshold) return;
        const id = bytes.subarray(partner, partner + bytesPerId);
        best.take(place - first, { entry: position, partner: id, score, values }, score / scale);
      });
    }
  }
  return (place) => (place < first ? undefined : best.at(place - first));
}

const valuesOf = ({ definition }: FinishEntry): number =>
  Math.min(maxNearestValues, effectiveParams(definition).matchers.length);

const noPair = -1;

/** The best pairs of records by place, in arrays. */
class BestPairs {
  private readonly rank: Float64Array;
  private readonly score: Float64Array;
  private readonly entry: Uint16Array;
  private readonly partners: Buffer;
  /** 0 where no values are known. */
  private readonly counts: Uint8Array;
  private readonly values: Uint16Array;

  constructor(
    records: number,
    private readonly maxValues: number,
  ) {
    this.rank = new Float64Array(records).fill(noPair);
    this.score = new Float64Array(records);
    this.entry = new Uint16Array(records);
    this.partners = Buffer.alloc(records * bytesPerId);
    this.counts = new Uint8Array(records);
    this.values = new Uint16Array(records * maxValues);
  }

  take(place: number, { entry, partner, score, values }: StoredNearest, rank: number): void {
    const order = rank - (this.rank[place] as number);
    if (order < 0 || (order === 0 && Buffer.compare(partner, this.partnerOf(place)) >= 0)) return;
    this.rank[place] = rank;
    this.score[place] = score;
    this.entry[place] = entry;
    this.partners.set(partner, place * bytesPerId);
    this.counts[place] = values?.length ?? 0;
    this.values.set(values ?? [], place * this.maxValues);
  }

  at(place: number): StoredNearest | undefined {
    if (this.rank[place] === noPair) return undefined;
    const [count, from] = [this.counts[place] as number, place * this.maxValues];
    return {
      entry: this.entry[place] as number,
      partner: this.partnerOf(place),
      score: this.score[place] as number,
      values: count === 0 ? null : this.values.subarray(from, from + count),
    };
  }

  private partnerOf(place: number): Buffer {
    return this.partners.subarray(place * bytesPerId, (place + 1) * bytesPerId);
  }
}
