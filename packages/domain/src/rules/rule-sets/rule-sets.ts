import {
  effectiveParams,
  type EffectiveParams,
  type EngineName,
  type RuleSetDefinition,
  type RuleSetParams,
} from '@tieout/engine';
import { AppError, isForeignKeyViolation, newId, type SqlParameter } from '@tieout/infra';
import { deleteCompositesOfRuleSet } from '../../results/composites';
import { forgetResults, lockFigures, recountMatched } from '../../results/counters';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { assertDefinition } from './validate';

export interface RuleSet {
  id: string;
  name: string;
  leftDatasetId: string;
  rightDatasetId: string;
  engine: EngineName;
  jsonataExpr: string | null;
  /** As the tenant sent them. */
  params: RuleSetParams;
  logicJson: Record<string, unknown> | null;
  version: number;
  createdAt: Date;
}

export interface NewRuleSet {
  name: string;
  leftDatasetId: string;
  rightDatasetId: string;
  engine: EngineName;
  jsonataExpr: string | null;
  params: RuleSetParams;
  logicJson: Record<string, unknown> | null;
}

export type RuleSetChange = { [K in keyof NewRuleSet]?: NewRuleSet[K] | undefined };

export interface RuleSetFilter {
  leftDatasetId?: string | undefined;
  rightDatasetId?: string | undefined;
}

/** What the engine runs of a rule set. */
export function definitionOf(
  ruleSet: Pick<RuleSet, 'engine' | 'jsonataExpr' | 'params' | 'version'>,
): RuleSetDefinition {
  const { engine, jsonataExpr, params, version } = ruleSet;
  return { engine, jsonataExpr, params, version };
}

/** The params that a rule set runs with: every default and inheritance filled in. */
export function effectiveParamsOf(ruleSet: RuleSet): EffectiveParams {
  return effectiveParams(definitionOf(ruleSet));
}

/**
 * @throws AppError validation_error: unknown datasets, faults of params, expressions that do not parse; conflict when a
 *   dataset is deleted meanwhile
 */
export async function createRuleSet(scope: TenantScope, input: NewRuleSet): Promise<RuleSet> {
  await assertDefinition(scope, { ...input, version: 1 });
  const [row] = await keepingDatasets(
    scope.db.query<RuleSetRow>(
      `insert into rule_sets (tenant_id, id, name, left_dataset_id, right_dataset_id, engine, jsonata_expr, params, logic_json)
       values ($1::uuid, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7, $8::jsonb, $9::jsonb) returning ${columns}`,
      [scope.tenantId, newId(), ...values(input)],
    ),
  );
  return toRuleSet(row as RuleSetRow);
}

/** @throws AppError rule_set_not_found */
export async function getRuleSet(scope: TenantScope, id: string): Promise<RuleSet> {
  const row = await scope.db.orm.ruleSet.findFirst({ where: { id } });
  if (!row) throw notFound();
  return toRuleSet(row);
}

/** A rule set of a list, and about how many bytes it takes. */
export interface ListedRuleSet {
  id: string;
  leftDatasetId: string;
  weight: number;
}

/** Newest first. */
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

/** As text. Params are shown a second time, with their defaults. */
const ruleSetWeight =
  'octet_length(name) + coalesce(octet_length(jsonata_expr), 0) + 2 * octet_length(params::text) + coalesce(octet_length(logic_json::text), 0)';

/** The rule sets of a list, in its order. One that was removed meanwhile is left out. */
export async function listedRuleSets(scope: TenantScope, listed: readonly ListedRuleSet[]): Promise<RuleSet[]> {
  const rows = await scope.db.orm.ruleSet.findMany({ where: { id: { in: listed.map(({ id }) => id) } } });
  const found = new Map(rows.map((row) => [row.id, toRuleSet(row)]));
  return listed.flatMap(({ id }) => found.get(id) ?? []);
}

const listedColumns = `id::text as id, left_dataset_id::text as "leftDatasetId", ${ruleSetWeight} as weight`;

/** By id; ids that are not the tenant's are absent. Nobody changes them until the end of the transaction. */
export async function listedRuleSetsById(
  scope: TenantScope,
  ids: readonly string[],
): Promise<Map<string, ListedRuleSet>> {
  const rows = await scope.db.query<ListedRuleSet>(
    `select ${listedColumns} from rule_sets where tenant_id = $1::uuid and id = any($2::uuid[]) for share`,
    [scope.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Every rule set that compares this dataset, as its left side, with another; oldest first. Nobody changes them until the end of the transaction. */
export function ruleSetsOfLeftDataset(scope: TenantScope, datasetId: string): Promise<ListedRuleSet[]> {
  return scope.db.query<ListedRuleSet>(
    `select ${listedColumns} from rule_sets where tenant_id = $1::uuid and left_dataset_id = $2::uuid order by rule_sets.id for share`,
    [scope.tenantId, datasetId],
  );
}

/**
 * Every change raises the version; jobs that are under way keep the definition they started with. No lock is held
 * while the definition is checked: a change that another one overtook starts over.
 * @throws AppError rule_set_not_found, and what createRuleSet throws
 */
export async function updateRuleSet(scope: TenantScope, id: string, change: RuleSetChange): Promise<RuleSet> {
  for (;;) {
    const current = await getRuleSet(scope, id);
    const merged: NewRuleSet = { ...current, ...defined(change) };
    const version = current.version + 1;
    await assertDefinition(scope, { ...merged, version });
    const [row] = await keepingDatasets(
      scope.db.query<RuleSetRow>(
        `update rule_sets set name = $3, left_dataset_id = $4::uuid, right_dataset_id = $5::uuid, engine = $6, jsonata_expr = $7,
                params = $8::jsonb, logic_json = $9::jsonb, version = $10::int, updated_at = now()
          where tenant_id = $1::uuid and id = $2::uuid and version = $10::int - 1 returning ${columns}`,
        [scope.tenantId, id, ...values(merged), version],
      ),
    );
    if (row) return toRuleSet(row);
  }
}

/**
 * Removes a rule set with its matches, its composites and its links to jobs; nothing happens for an id that is not the tenant's.
 * Batches in flight hold their row locked, so the deletion of the links waits for what they write.
 */
export async function deleteRuleSet(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (s) => {
    // From here on no job can link to it.
    const [found] = await s.db.query(
      `select 1 from rule_sets where tenant_id = $1::uuid and id = $2::uuid for update`,
      [s.tenantId, id],
    );
    if (!found) return;
    const jobs = await s.db.query<{ jobId: string; leftDatasetId: string; open: boolean }>(
      `select e.job_id as "jobId", e.left_dataset_id as "leftDatasetId", j.status in ('queued', 'running') as open
         from job_rule_sets e join matching_jobs j on j.id = e.job_id
        where e.tenant_id = $1::uuid and e.rule_set_id = $2::uuid`,
      [s.tenantId, id],
    );
    await s.db.execute(`delete from rule_sets where tenant_id = $1::uuid and id = $2::uuid`, [s.tenantId, id]);
    await s.db.execute(
      `delete from matches where tenant_id = $1::uuid and rule_set_id = $2::uuid and job_id = any($3::uuid[])`,
      [s.tenantId, id, jobs.map((j) => j.jobId)],
    );
    await deleteCompositesOfRuleSet(s.db, s.tenantId, id);
    await lockFigures(s.db, s.tenantId);
    await forgetResults(s.db, s.tenantId, id);
    await recountMatched(s.db, s.tenantId, [...new Set(jobs.map((j) => j.leftDatasetId))]);
    for (const job of jobs.filter((j) => j.open)) {
      // A job that waited only for this rule set has nothing left to do.
      await s.db.afterCommit(() => s.queue.enqueue('matching.finish', { tenantId: s.tenantId, jobId: job.jobId }));
    }
  });
}

const columns = `id, name, left_dataset_id as "leftDatasetId", right_dataset_id as "rightDatasetId", engine,
  jsonata_expr as "jsonataExpr", params, logic_json as "logicJson", version, created_at as "createdAt"`;

/** JSON goes in as text: the ORM would lose keys such as `__proto__`. */
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

async function keepingDatasets<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isForeignKeyViolation(error)) throw new AppError('conflict', 'A dataset of the rule set was deleted meanwhile');
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

const notFound = (): AppError => new AppError('rule_set_not_found', 'Rule set not found');
