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
  /** Returns the numbers of the records that take part in pairs. */
  candidates(): Uint32Array;
  /** Orders two records where nothing else does: negative, 0 or positive. */
  compare(one: number, other: number): number;
}
