import { rescale } from '../values/decimal';

/** The part of a record in pairs. */
export const recordState = { candidate: 0, noCandidate: 1, failed: 2, filtered: 3, unblocked: 4 } as const;

/** The records of one side as the search for candidates needs them, in columns by the number of the record. */
export interface CandidateSide {
  readonly length: number;
  /** Values of `recordState`; the candidates that turn out to have no pair are marked. */
  readonly state: Uint8Array;
  readonly bucket: Float64Array;
  readonly day: Int32Array;
  /** NaN without an amount. */
  readonly units: Float64Array;
  /** Decimals of `units`. */
  readonly scale: Uint8Array;
  /** Orders two records where nothing else does: negative, 0 or positive. */
  compare(one: number, other: number): number;
}

/** Returns the numbers of the records that take part in pairs. */
export function candidatesOf({ state, length }: Pick<CandidateSide, 'state' | 'length'>): Uint32Array {
  let count = 0;
  for (let seq = 0; seq < length; seq++) if (state[seq] === recordState.candidate) count++;
  const seqs = new Uint32Array(count);
  for (let seq = 0, at = 0; at < count; seq++) if (state[seq] === recordState.candidate) seqs[at++] = seq;
  return seqs;
}

/** Returns the units of a record at a scale; NaN without an amount that fits it. */
export const unitsAt = ({ units, scale }: Pick<CandidateSide, 'units' | 'scale'>, at: number, to: number): number =>
  rescale(units[at] as number, scale[at] as number, to) ?? NaN;
