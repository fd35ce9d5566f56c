import type { JsonObject } from './field';

export const recordStatuses = ['received', 'ready', 'failed'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** Why a record could not be normalised. `value` is what was found; long ones are cut. */
export interface RecordError {
  field: string;
  value: unknown;
  code: string;
  message: string;
}

export interface RecordView {
  id: string;
  datasetName: string;
  externalId: string | null;
  /** As it was sent. */
  data: JsonObject;
  status: RecordStatus;
  /** Normalised values by field key; null until the record is ready. */
  fields: JsonObject | null;
  error: RecordError | null;
  createdAt: Date;
}

/** The columns of a RecordView; the statement names records `r` and datasets `d`. */
export const recordColumns = `r.id, d.name as "datasetName", r.external_id as "externalId", r.data, r.status, r.fields, r.error,
  r.created_at as "createdAt"`;
