import { undeclaredReferences, validateRuleSet, type RuleSetDefinition } from '@tieout/engine';
import { invalid, type FieldError } from '@tieout/infra';
import type { TenantScope } from '../scope';

const engineFaults = (definition: RuleSetDefinition): FieldError[] => validateRuleSet(definition).map((issue) => ({ ...issue }));

const refuse = (faults: readonly FieldError[], prefix: string): void => {
  if (faults.length > 0) throw invalid(faults.map((f) => ({ ...f, path: prefix + f.path })));
};

/**
 * Refuses what could not run: faults of params, expressions that do not parse.
 * @param prefix JSON pointer of the rule set inside the request
 * @throws AppError validation_error
 */
export function assertRunnable(definition: RuleSetDefinition, prefix = ''): void {
  refuse(engineFaults(definition), prefix);
}

interface Definable extends RuleSetDefinition {
  leftDatasetId: string;
  rightDatasetId: string;
}

/**
 * Also refuses unknown datasets and, where the deployment asks for it, references to fields that a dataset does
 * not declare.
 * @throws AppError validation_error
 */
export async function assertDefinition(scope: TenantScope, input: Definable, prefix = ''): Promise<void> {
  const { engine, jsonataExpr, params, version } = input;
  const definition: RuleSetDefinition = { engine, jsonataExpr, params, version };
  const faults = engineFaults(definition);
  const datasets = await scope.db.orm.dataset.findMany({
    where: { id: { in: [input.leftDatasetId, input.rightDatasetId] } },
    select: { id: true, fields: { select: { key: true } } },
  });
  const keysOf = (id: string): ReadonlySet<string> | undefined => {
    const dataset = datasets.find((d) => d.id === id);
    return dataset && new Set(dataset.fields.map((f) => f.key));
  };
  const left = keysOf(input.leftDatasetId.toLowerCase());
  const right = keysOf(input.rightDatasetId.toLowerCase());
  if (!left) faults.push({ path: '/leftDatasetId', code: 'unknown_dataset', message: 'names no dataset' });
  if (!right) faults.push({ path: '/rightDatasetId', code: 'unknown_dataset', message: 'names no dataset' });
  if (faults.length === 0 && left && right && scope.settings.validateFieldsStrict) {
    faults.push(...undeclaredReferences(definition, { left, right }).map((issue) => ({ ...issue })));
  }
  refuse(faults, prefix);
}
