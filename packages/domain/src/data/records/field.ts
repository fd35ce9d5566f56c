import type { FieldType, Notation } from '../datasets';

/** A declared field, as far as reading its value from a record's data needs it. */
export interface FieldDefinition {
  key: string;
  type: FieldType;
  sourcePath: string | null;
  transformExpr: string | null;
  isIdentity: boolean;
  /** How texts of the field are written; absent: as JSON writes numbers and ISO 8601 dates. */
  notation?: Notation;
}

export type JsonObject = { [key: string]: unknown };
