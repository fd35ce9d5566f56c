import type { TrainingPairs } from '@tieout/engine';
import type { KeptPair } from './kept';

type ValuedPair = Pick<KeptPair, 'leftId' | 'rightId' | 'review'> & { values: readonly (number | null)[] };

/** Converts pairs into columns, with a number for each record. */
export function columnsOf(pairs: readonly ValuedPair[], isOneSide: boolean): TrainingPairs {
  const left = new Map<string, number>();
  const right = isOneSide ? left : new Map<string, number>();
  const numberOf = (known: Map<string, number>, id: string): number => {
    const number = known.get(id) ?? known.size;
    known.set(id, number);
    return number;
  };
  const width = pairs[0]?.values.length ?? 0;
  return {
    lefts: Int32Array.from(pairs, ({ leftId }) => numberOf(left, leftId)),
    rights: Int32Array.from(pairs, ({ rightId }) => numberOf(right, rightId)),
    values: Array.from({ length: width }, (_, at) => Float64Array.from(pairs, ({ values }) => values[at] ?? NaN)),
    labels: Int8Array.from(pairs, ({ review }) => (review === null ? -1 : review === 'confirmed' ? 1 : 0)),
  };
}
