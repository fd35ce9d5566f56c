import { JsonText } from '@tieout/infra';

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
  data: JsonText;
  status: RecordStatus;
  /** Normalised values by field key; null until the record is ready. */
  fields: JsonText | null;
  /** A RecordError. */
  error: JsonText | null;
  createdAt: Date;
}

type Texts = 'data' | 'fields' | 'error';
export type RecordRow = Omit<RecordView, Texts> & { data: string; fields: string | null; error: string | null };

/** The columns of a RecordRow; the statement names records `r` and datasets `d`. */
export const recordColumns = `r.id, d.name as "datasetName", r.external_id as "externalId", r.data::text as data, r.status,
  r.fields::text as fields, r.error::text as error, r.created_at as "createdAt"`;

const textOrNull = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));

export const viewOf = <R extends RecordRow>(row: R): Omit<R, Texts> & Pick<RecordView, Texts> => ({
  ...row,
  data: new JsonText(row.data),
  fields: textOrNull(row.fields),
  error: textOrNull(row.error),
});
