/** Pairs that a job kept, and pairs that people decided on. */
export interface TrainingPairs {
  /** Numbers of their records, from 0 on; those of both sides are one range where a dataset is compared with itself. */
  lefts: Int32Array;
  rights: Int32Array;
  /** Values of each matcher, 0..1; NaN where it abstains. */
  values: readonly Float64Array[];
  /** 1: confirmed, 0: rejected, -1: not decided. */
  labels: Int8Array;
}

export interface TrainInput {
  pairs: TrainingPairs;
  weights: readonly number[];
  /** On a scale from 0 to 1. */
  thresholds: TrainedThresholds;
  /** True if a record is in one match at most: the better pair takes it. */
  isOneToOne: boolean;
  onStep?: () => void;
}

export interface TrainedThresholds {
  match: number;
  possible: number;
}

export interface HeldOutQuality {
  /** Null where nothing is matched, or nothing belongs together. */
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

export interface Training {
  weights: number[];
  thresholds: TrainedThresholds;
  /** Labels that were held out of what is measured on them, each speaking for the pairs with scores near its own. */
  heldOut: { before: HeldOutQuality; after: HeldOutQuality };
  /** True if what was learnt is clearly worse on them: the weights and the score of MATCH stay. */
  hasLost: boolean;
  curve: { threshold: number; precision: number; recall: number; matches: number }[];
  /** True if all kept pairs would match: there may be more below the possible threshold as it was. */
  isAtEdge: boolean;
  /** Pairs of which all matchers say the same, one confirmed and one rejected, where that is no matter of doubt. */
  contradictions: { confirmed: number; rejected: number }[];
}
