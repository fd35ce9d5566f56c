import { compileExpression, ExpressionError, readPath, type Expression } from '@tieout/engine';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';

export type Reading = { ok: true; value: unknown } | { ok: false; code: string; message: string };

/** Reads the raw value of one field from a record's data; a tenant's expression never makes it throw. */
export type ReadValue = (data: JsonObject) => Reading | Promise<Reading>;

/** Creates the reader of a field: its expression if there is one, else the value at `sourcePath`, else at `key`. */
export function valueReader(field: FieldDefinition): ReadValue {
  const { transformExpr } = field;
  if (transformExpr === null) {
    const path = field.sourcePath ?? field.key;
    return (data) => ({ ok: true, value: readPath(data, path) });
  }
  let expression: Expression;
  try {
    expression = compileExpression(transformExpr);
  } catch (error) {
    const reading = transformFailure(error);
    return () => reading;
  }
  return async (data) => {
    try {
      return { ok: true, value: await expression.evaluate(data) };
    } catch (error) {
      return transformFailure(error);
    }
  };
}

function transformFailure(error: unknown): Reading {
  if (!(error instanceof ExpressionError)) throw error;
  const at = error.position === undefined ? '' : ` at position ${error.position}`;
  // The code of jsonata for exceeding the limit of time or steps.
  const code = error.code === 'D1012' ? 'transform_timeout' : 'transform_failed';
  return { ok: false, code, message: `transform_expr failed: ${error.code}${at}: ${error.message}` };
}
