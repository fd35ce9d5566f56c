import { invalid } from '@tieout/infra';
import type { FieldDefinition, FieldValues, JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { checkTransform } from './field-rows';

export interface FieldsPreview {
  fields: readonly FieldDefinition[];
  records: readonly JsonObject[];
}

/**
 * Computes fields that need not be stored over data that need not be, and stores nothing.
 * @throws AppError validation_error for two fields with one key, and for an expression that does not parse
 */
export async function previewFields(scope: TenantScope, { fields, records }: FieldsPreview): Promise<FieldValues[]> {
  const keys = new Set<string>();
  for (const [at, { key, transformExpr }] of fields.entries()) {
    if (keys.has(key)) {
      throw invalid([{ path: `/fields/${at}/key`, code: 'duplicate', message: `is the key of two fields: ${key}` }]);
    }
    keys.add(key);
    checkTransform(transformExpr, `/fields/${at}`);
  }
  return scope.evaluator.fieldValues({ fields, bodies: records });
}
