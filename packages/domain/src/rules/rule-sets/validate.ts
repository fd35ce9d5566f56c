import { undeclaredReferences, validateRuleSet, type RuleSetDefinition } from '@tieout/engine';
import { invalid, type FieldError } from '@tieout/infra';
import type { CheckRequest } from '../../kernel/ports';
import type { TenantScope, RunWithPermit } from '../../kernel/scope';

const refuse = (faults: readonly FieldError[], prefix: string): void => {
  if (faults.length > 0) throw invalid(faults.map((f) => ({ ...f, path: prefix + f.path })));
};

/**
 * Finds what keeps a rule set from running: faults of params, expressions that do not parse, then references to
 * undeclared fields. Runs in a process that may block: megabytes of expressions take seconds to parse.
 */
export function checkRuleSet({ definition, declared }: CheckRequest): Promise<FieldError[]> {
  const faults = validateRuleSet(definition);
  if (faults.length > 0 || !declared) return Promise.resolve(faults.map((issue) => ({ ...issue })));
  const fields = { left: new Set(declared.left), right: new Set(declared.right) };
  return Promise.resolve(undeclaredReferences(definition, fields).map((issue) => ({ ...issue })));
}

/**
 * Refuses a definition that cannot run: faults of params, expressions that do not parse.
 * @param prefix JSON pointer of the rule set inside the request
 * @throws AppError validation_error, evaluation_timeout, expression_memory
 */
export async function assertRunnable(scope: TenantScope, definition: RuleSetDefinition, prefix = ''): Promise<void> {
  refuse(await scope.evaluator.check({ definition }), prefix);
}

interface Definable extends RuleSetDefinition {
  leftDatasetId: string;
  rightDatasetId: string;
}

/**
 * Also refuses unknown datasets and, where the operator sets it, references to fields that a dataset does not declare.
 * @throws AppError validation_error, evaluation_timeout, expression_memory
 */
export async function assertDefinition(
  scope: TenantScope,
  input: Definable,
  prefix = '',
  withPermit: RunWithPermit = (task) => task(),
): Promise<void> {
  const { engine, jsonataExpr, params, version } = input;
  const find = { id: { in: [input.leftDatasetId, input.rightDatasetId] } };
  const datasets = await withPermit(() =>
    scope.db.orm.dataset.findMany({ where: find, select: { id: true, fields: { select: { key: true } } } }),
  );
  const keysOf = (id: string): string[] | undefined => datasets.find((d) => d.id === id)?.fields.map((f) => f.key);
  const left = keysOf(input.leftDatasetId.toLowerCase());
  const right = keysOf(input.rightDatasetId.toLowerCase());
  const declared = scope.settings.validateFieldsStrict && left && right ? { left, right } : undefined;
  const faults = await scope.evaluator.check({
    definition: { engine, jsonataExpr, params, version },
    ...(declared ? { declared } : {}),
  });
  if (!left) faults.push({ path: '/leftDatasetId', code: 'unknown_dataset', message: 'names no dataset' });
  if (!right) faults.push({ path: '/rightDatasetId', code: 'unknown_dataset', message: 'names no dataset' });
  faults.push(...sameDataset(input), ...namesTooLong(input));
  refuse(faults, prefix);
}

/** Refuses composition within one dataset: a record could be both target and member. */
function sameDataset({ leftDatasetId, rightDatasetId, params }: Definable): FieldError[] {
  if (params.composition?.enabled !== true || leftDatasetId.toLowerCase() !== rightDatasetId.toLowerCase()) return [];
  const message =
    'must be false where leftDatasetId and rightDatasetId are the same; keep targets and members in two datasets';
  return [{ path: '/params/composition/enabled', code: 'same_dataset', message }];
}

/** Max characters of ids and names of matchers: the explanation of every match repeats them. */
const maxNamesLength = 250_000;

function namesTooLong({ params }: Definable): FieldError[] {
  const length = (params.matchers ?? []).reduce((sum, { id = '', name = '' }) => sum + id.length + name.length, 0);
  if (length <= maxNamesLength) return [];
  return [
    {
      path: '/params/matchers',
      code: 'maxLength',
      message: `may have ids and names of ${maxNamesLength} characters together`,
    },
  ];
}
