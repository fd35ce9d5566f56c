import type { FieldType } from '../datasets';

/** A declared field, as far as reading its value from a record's data needs it. */
export interface FieldDefinition {
  key: string;
  type: FieldType;
  sourcePath: string | null;
  transformExpr: string | null;
  isIdentity: boolean;
}

export type JsonObject = { [key: string]: unknown };
