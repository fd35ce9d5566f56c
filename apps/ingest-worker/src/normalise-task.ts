import type { FieldDefinition, JsonObject, NormalisedRecord } from '@tieout/domain';

/** What goes to the thread. */
export interface NormaliseTask {
  /** Results say which task they are of. */
  number: number;
  fields: readonly FieldDefinition[];
  records: readonly JsonObject[];
  /** Characters of the JSON text of fields after which the thread ends. */
  mostMade: number;
  /** See `cells`. */
  progress: Int32Array;
}

/** Of `progress`: the position of the field whose value is being computed, and whether the thread is to end behind the record in hand. */
export const cells = { field: 0, isOver: 1 } as const;
export const cellCount = 2;

/** What comes from the thread: a record at a time, and nothing at the end. */
export interface NormaliseResult {
  task: number;
  record?: NormalisedRecord;
  /** At the end: whether it ended for `mostMade`. */
  isFull?: boolean;
}
