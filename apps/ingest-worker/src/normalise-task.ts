import type { FieldDefinition, JsonObject, NormalisedRecord } from '@tieout/domain';

/** A message to the thread. */
export interface NormaliseTask {
  /** Results carry the number of their task. */
  number: number;
  fields: readonly FieldDefinition[];
  records: readonly JsonObject[];
  /** Max characters of normalised fields, as JSON text, after which the task ends. */
  maxCharacters: number;
  /** See `cells`. */
  progress: Int32Array;
}

/** Indexes of `progress`: the field being computed, and whether the task ends after the current record. */
export const cells = { field: 0, isOver: 1 } as const;
export const cellCount = 2;

/** A message from the thread: one for each record, and one without a record at the end. */
export interface NormaliseResult {
  task: number;
  record?: NormalisedRecord;
  /** Set in the last message: whether `maxCharacters` ended the task. */
  isFull?: boolean;
}
