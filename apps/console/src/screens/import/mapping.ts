import { uniqueKeyFor } from '@tieout/formats';
import type { MappedKind, FileReading, StoredField } from '../../api/imports';

/** A field that a file will fill: stored before, or new with the file. */
export interface MappedField {
  /** Identifies the field while its key is edited. */
  at: string;
  key: string;
  type: MappedKind;
  /** The column that it reads, unless an expression computes it. */
  column: string;
  expression: string | null;
  isIdentity: boolean;
  /** Absent: the field is new. */
  stored?: StoredField;
  /** A new field that is not wanted is not made. */
  isKept: boolean;
  /** The field is no longer as the file suggests it. */
  isEdited: boolean;
}

export const fieldKinds: readonly MappedKind[] = [
  'string',
  'number',
  'amount',
  'boolean',
  'date',
  'datetime',
  'array',
  'object',
];

/**
 * Returns the fields of the dataset, then a new one for each column that no field reads. It is named as the service
 * names the fields that a file adds.
 */
export function mappingOf(stored: readonly StoredField[], reading: Pick<FileReading, 'fields'>): MappedField[] {
  const keys = new Set(stored.map(({ key }) => key));
  const columns = new Set(stored.map(({ key, source_path: column }) => column ?? key));
  const ofDataset = stored.map((field) => ({
    at: field.id,
    key: field.key,
    type: field.type,
    column: field.source_path ?? field.key,
    expression: field.transform_expr,
    isIdentity: field.is_identity,
    stored: field,
    isKept: true,
    isEdited: false,
  }));
  const added = reading.fields
    .filter(({ column }) => !columns.has(column))
    .map(({ key: wanted, column, type }) => {
      const key = uniqueKeyFor(wanted, keys);
      keys.add(key);
      return {
        at: `new ${column}`,
        key,
        type: type as MappedKind,
        column,
        expression: null,
        isIdentity: false,
        isKept: true,
        isEdited: false,
      };
    });
  return [...ofDataset, ...added];
}

/** Returns whether a field takes its values from a column that has none in the first rows. */
export const isWithoutValues =
  ({ headers, rows }: Pick<FileReading, 'headers'> & { rows: readonly { data: Record<string, unknown> }[] }) =>
  ({ column, expression }: MappedField): boolean =>
    rows.length > 0 &&
    expression === null &&
    headers.includes(column) &&
    rows.every(({ data }) => [undefined, null, ''].includes(data[column] as null));

/** Returns whether the values of a field can be computed: it is wanted, and its name is one. */
export const isComputable = ({ isKept, key }: MappedField): boolean => isKept && /^[A-Za-z][\w.-]{0,63}$/.test(key);

/** The field as another dataset would get it, which has no fields yet. */
export function asNew({ stored, ...field }: MappedField): MappedField {
  return stored === undefined ? field : { ...field, isEdited: true };
}

export const isChanged = ({ stored, key, type, column, expression, isIdentity }: MappedField): boolean =>
  stored === undefined ||
  stored.key !== key ||
  stored.type !== type ||
  (stored.source_path ?? stored.key) !== column ||
  stored.transform_expr !== expression ||
  stored.is_identity !== isIdentity;

/**
 * The fields to declare before the file is sent, and whether the file declares the others itself: it does so for every
 * column that no field reads, which is wanted where none is left out.
 */
export function declaredFields(fields: readonly MappedField[]): { fields: MappedField[]; fromColumns: boolean } {
  const fromColumns = fields.every(({ stored, isKept }) => stored !== undefined || isKept);
  const isDeclared = (field: MappedField): boolean =>
    field.isKept && isChanged(field) && (!fromColumns || field.stored !== undefined || field.isEdited);
  return { fields: fields.filter(isDeclared), fromColumns };
}

const maxSentCharacters = 300_000;

/** The first rows, as many as a request can carry. */
export function rowsToSend<R extends { data: unknown }>(rows: readonly R[]): R[] {
  const sent: R[] = [];
  let characters = 0;
  for (const row of rows) {
    characters += JSON.stringify(row.data).length;
    if (characters > maxSentCharacters) break;
    sent.push(row);
  }
  return sent;
}
