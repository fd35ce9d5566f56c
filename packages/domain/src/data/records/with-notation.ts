import { notationOf, type FileNotation } from '../datasets';
import type { FieldDefinition } from './field';

/** The fields as they read the data of a file. */
export function withNotation(fields: readonly FieldDefinition[], file: FileNotation): FieldDefinition[] {
  return fields.map((field) => {
    const column = field.transformExpr === null ? (field.sourcePath ?? field.key) : undefined;
    return { ...field, notation: notationOf(column, file) };
  });
}
