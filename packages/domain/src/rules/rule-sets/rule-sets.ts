import {
  effectiveParams,
  type EffectiveParams,
  type EngineName,
  type RuleSetDefinition,
  type RuleSetParams,
} from '@tieout/engine';
import { AppError, isForeignKeyViolation, newId, type SqlParameter } from '@tieout/infra';
import { changesOf, recordAudit } from '../../audit';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { assertDefinition } from './validate';

export interface NewRuleSet {
  name: string;
  leftDatasetId: string;
  rightDatasetId: string;
  engine: EngineName;
  jsonataExpr: string | null;
  /** Params as sent, without defaults. */
  params: RuleSetParams;
  logicJson: Record<string, unknown> | null;
}

export interface RuleSet extends NewRuleSet {
  id: string;
  version: number;
  createdAt: Date;
}

export type RuleSetChange = { [K in keyof NewRuleSet]?: NewRuleSet[K] | undefined } & {
  /** The version that the change was made to. Absent: whatever version is stored. */
  version?: number | undefined;
};

export interface RuleSetFilter {
  leftDatasetId?: string | undefined;
  rightDatasetId?: string | undefined;
}

/** Returns the part of a rule set that the engine runs. */
export function definitionOf(
  ruleSet: Pick<RuleSet, 'engine' | 'jsonataExpr' | 'params' | 'version'>,
): RuleSetDefinition {
  const { engine, jsonataExpr, params, version } = ruleSet;
  return { engine, jsonataExpr, params, version };
}

/** Returns the params with all defaults and inherited values. */
export function effectiveParamsOf(ruleSet: RuleSet): EffectiveParams {
  return effectiveParams(definitionOf(ruleSet));
}

/**
 * @throws AppError validation_error: unknown datasets, faults of params, expressions that do not parse; conflict when a
 *   dataset is deleted at the same time
 */
export async function createRuleSet(scope: TenantScope, input: NewRuleSet): Promise<RuleSet> {
  await assertDefinition(scope, { ...input, version: 1 });
  return scope.transaction(async (tx) => {
    const [row] = await keepingDatasets(
      tx.db.query<RuleSetRow>(
        `insert into rule_sets
           (tenant_id, id, name, left_dataset_id, right_dataset_id, engine, jsonata_expr, params, logic_json)
         values ($1::uuid, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7, $8::jsonb, $9::jsonb) returning ${columns}`,
        [tx.tenantId, newId(), ...values(input)],
      ),
    );
    const ruleSet = toRuleSet(row as RuleSetRow);
    await recordAudit(tx, {
      action: 'rule_set.create',
      object: { type: 'rule_set', id: ruleSet.id },
      after: auditedRuleSet(ruleSet),
    });
    return ruleSet;
  });
}

/** Returns the part of a rule set that an audit entry shows. */
export const auditedRuleSet = ({ name, leftDatasetId, rightDatasetId, engine, ...rest }: RuleSet): object => ({
  name,
  left_dataset_id: leftDatasetId,
  right_dataset_id: rightDatasetId,
  engine,
  jsonata_expr: rest.jsonataExpr,
  params: rest.params,
  logic_json: rest.logicJson,
  version: rest.version,
});

/** @throws AppError rule_set_not_found */
export async function getRuleSet(scope: TenantScope, id: string): Promise<RuleSet> {
  const row = await scope.db.orm.ruleSet.findFirst({ where: { id } });
  if (!row) throw notFound();
  return toRuleSet(row);
}

/** A rule set of a list, with its approximate size in bytes. */
export interface ListedRuleSet {
  id: string;
  leftDatasetId: string;
  weight: number;
}

/** Lists rule sets, newest first. */
export async function listRuleSets(
  scope: TenantScope,
  filter: RuleSetFilter,
  page: PageRequest,
): Promise<Page<ListedRuleSet>> {
  const parameters: SqlParameter[] = [scope.tenantId];
  const conditions = ['tenant_id = $1::uuid'];
  if (filter.leftDatasetId !== undefined)
    conditions.push(`left_dataset_id = $${parameters.push(filter.leftDatasetId)}::uuid`);
  if (filter.rightDatasetId !== undefined)
    conditions.push(`right_dataset_id = $${parameters.push(filter.rightDatasetId)}::uuid`);
  const from = `from rule_sets where ${conditions.join(' and ')}`;
  return readPage(page, {
    count: async () =>
      (await scope.db.query<{ total: number }>(`select count(*)::float8 as total ${from}`, parameters))[0]?.total ?? 0,
    rows: ({ sql }) =>
      scope.db.query<ListedRuleSet>(
        `select ${listedColumns} from (select * ${from} order by id desc ${sql}) page order by page.id desc`,
        parameters,
      ),
  });
}

/** Bytes of a rule set as text. Params count twice: they are shown again with their defaults. */
const ruleSetWeight = `octet_length(name) + coalesce(octet_length(jsonata_expr), 0)
  + 2 * octet_length(params::text) + coalesce(octet_length(logic_json::text), 0)`;

/** Reads the rule sets of a list, in its order, without those that have been deleted. */
export async function listedRuleSets(
  scope: TenantScope,
  listed: readonly Pick<ListedRuleSet, 'id'>[],
): Promise<RuleSet[]> {
  const rows = await scope.db.orm.ruleSet.findMany({ where: { id: { in: listed.map(({ id }) => id) } } });
  const found = new Map(rows.map((row) => [row.id, toRuleSet(row)]));
  return listed.flatMap(({ id }) => found.get(id) ?? []);
}

const listedColumns = `id::text as id, left_dataset_id::text as "leftDatasetId", ${ruleSetWeight} as weight`;

/** Reads rule sets by id, without unknown ids, and locks them against changes until the transaction ends. */
export async function listedRuleSetsById(
  scope: TenantScope,
  ids: readonly string[],
): Promise<Map<string, ListedRuleSet>> {
  const rows = await scope.db.prepared.query<ListedRuleSet>(
    `select ${listedColumns} from rule_sets where tenant_id = $1::uuid and id = any($2::uuid[]) for share`,
    [scope.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Reads the rule sets whose left side is this dataset, oldest first, and locks them against changes until the
 * transaction ends.
 */
export function ruleSetsOfLeftDataset(scope: TenantScope, datasetId: string): Promise<ListedRuleSet[]> {
  return scope.db.query<ListedRuleSet>(
    `select ${listedColumns} from rule_sets where tenant_id = $1::uuid and left_dataset_id = $2::uuid
      order by rule_sets.id for share`,
    [scope.tenantId, datasetId],
  );
}

/**
 * Changes a rule set and raises its version; running jobs keep the definition they started with. No lock is held during
 * the check of the definition: a change that a concurrent one overtakes starts over.
 * @param assertUsable refuses a change that the user of a rule set does not bear, in the transaction that stores it
 * @throws AppError rule_set_not_found; conflict: the change was made to another version; what createRuleSet throws
 */
export async function updateRuleSet(
  scope: TenantScope,
  id: string,
  { version: expected, ...change }: RuleSetChange,
  assertUsable: (tx: TenantScope, ruleSet: RuleSet) => Promise<void>,
): Promise<RuleSet> {
  for (;;) {
    const current = await getRuleSet(scope, id);
    if (expected !== undefined && expected !== current.version) throw otherVersion(current.version, expected);
    const merged: NewRuleSet = { ...current, ...defined(change) };
    const version = current.version + 1;
    await assertDefinition(scope, { ...merged, version });
    const updated = await scope.transaction(async (tx) => {
      const stored = await storeRuleSet(tx, current, { ...merged, version });
      if (stored) await assertUsable(tx, stored);
      return stored;
    });
    if (updated) return updated;
  }
}

/** Stores a new version; undefined where the stored one is not the present one any more. */
async function storeRuleSet(
  tx: TenantScope,
  current: RuleSet,
  next: NewRuleSet & { version: number },
): Promise<RuleSet | undefined> {
  const { id } = current;
  const [row] = await keepingDatasets(
    tx.db.query<RuleSetRow>(
      `update rule_sets
          set name = $3, left_dataset_id = $4::uuid, right_dataset_id = $5::uuid, engine = $6, jsonata_expr = $7,
              params = $8::jsonb, logic_json = $9::jsonb, version = $10::int, updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and version = $10::int - 1 returning ${columns}`,
      [tx.tenantId, id, ...values(next), next.version],
    ),
  );
  if (!row) return undefined;
  const updated = toRuleSet(row);
  const changes = changesOf(auditedRuleSet(current), auditedRuleSet(updated));
  await recordAudit(tx, { action: 'rule_set.update', object: { type: 'rule_set', id }, ...changes });
  return updated;
}

const columns = `id, name, left_dataset_id as "leftDatasetId", right_dataset_id as "rightDatasetId", engine,
  jsonata_expr as "jsonataExpr", params, logic_json as "logicJson", version, created_at as "createdAt"`;

/** Passes JSON as text: the ORM would lose keys such as `__proto__`. */
function values(input: NewRuleSet): SqlParameter[] {
  return [
    input.name,
    input.leftDatasetId,
    input.rightDatasetId,
    input.engine,
    input.jsonataExpr,
    JSON.stringify(input.params),
    input.logicJson === null ? null : JSON.stringify(input.logicJson),
  ];
}

/** Turns a missing dataset into a conflict. */
async function keepingDatasets<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('conflict', 'A dataset of the rule set has been deleted');
    throw error;
  }
}

interface RuleSetRow {
  id: string;
  name: string;
  leftDatasetId: string;
  rightDatasetId: string;
  engine: string;
  jsonataExpr: string | null;
  params: unknown;
  logicJson: unknown;
  version: number;
  createdAt: Date;
}

function toRuleSet(row: RuleSetRow): RuleSet {
  return {
    id: row.id,
    name: row.name,
    leftDatasetId: row.leftDatasetId,
    rightDatasetId: row.rightDatasetId,
    engine: row.engine as EngineName,
    jsonataExpr: row.jsonataExpr,
    params: row.params as RuleSetParams,
    logicJson: row.logicJson as Record<string, unknown> | null,
    version: row.version,
    createdAt: row.createdAt,
  };
}

function defined<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const otherVersion = (stored: number, expected: number): AppError =>
  new AppError('conflict', `The rule set is at version ${stored}, not ${expected}: read it again, then change it`);

const notFound = (): AppError => new AppError('rule_set_not_found', 'Rule set not found');
