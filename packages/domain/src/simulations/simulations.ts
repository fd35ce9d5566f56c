import type { EngineName, RuleSetDefinition, RuleSetParams } from '@tieout/engine';
import { invalid, newId } from '@tieout/infra';
import { requireRoom } from '../access/quotas';
import { cancelInquiry, enqueueInquiry, inquiryNotFound, simulationInquiry } from '../inquiries';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { TenantScope } from '../kernel/scope';
import type { JobStatus } from '../matching';
import { getReconciliation, paramsOfPass } from '../reconciliations';
import { assertDefinition, getRuleSet } from '../rules/rule-sets';
import type { SimulationAnswer } from './run';

export interface NewSimulation {
  ruleSet: {
    leftDatasetId: string;
    rightDatasetId: string;
    engine: EngineName;
    jsonataExpr?: string | null | undefined;
    params: RuleSetParams;
  };
  /** The rule set whose live results the answer is compared with. */
  against?: string | undefined;
  sample?: { records: number } | undefined;
}

export interface SimulationView {
  id: string;
  leftDatasetId: string;
  rightDatasetId: string;
  definition: RuleSetDefinition;
  againstRuleSetId: string | null;
  sampleRecords: number;
  status: JobStatus;
  /** 0..1 */
  progress: number;
  error: { code: string; message: string } | null;
  /** Null before the first answer. */
  answer: SimulationAnswer | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

const defaultRecords = 100_000;

/**
 * Starts a trial of a rule set. Nothing but its answer is stored.
 * @throws AppError validation_error: what a rule set is refused for, an unknown `against`, one of other datasets;
 *   too_many_jobs
 */
export async function startSimulation(scope: TenantScope, input: NewSimulation): Promise<SimulationView> {
  const { leftDatasetId, rightDatasetId, engine, params, jsonataExpr = null } = input.ruleSet;
  const datasets = { leftDatasetId, rightDatasetId };
  const given: RuleSetDefinition = { engine, jsonataExpr, params, version: 1 };
  await assertDefinition(scope, { ...given, ...datasets }, '/ruleSet');
  const againstRuleSetId = input.against ?? null;
  const definition =
    againstRuleSetId === null ? given : await definitionAsReplacement(scope, againstRuleSetId, given, datasets);
  const stored: object = definition;
  const id = newId();
  return scope.transaction(async (tx) => {
    await requireRoom(tx, 'jobs');
    await tx.db.orm.simulation.create({
      data: {
        id,
        tenantId: tx.tenantId,
        ...datasets,
        definition: stored,
        againstRuleSetId,
        sampleRecords: input.sample?.records ?? defaultRecords,
      },
    });
    await tx.db.afterCommit(() => enqueueInquiry(scope, simulationInquiry, id));
    return getSimulation(tx, id);
  });
}

/** Returns the definition as it would run in place of a rule set, which may be a pass. */
async function definitionAsReplacement(
  scope: TenantScope,
  id: string,
  definition: RuleSetDefinition,
  { leftDatasetId, rightDatasetId }: Record<'leftDatasetId' | 'rightDatasetId', string>,
): Promise<RuleSetDefinition> {
  const found = await scope.db.orm.ruleSet.findFirst({ where: { id }, include: { pass: true } });
  if (!found) throw invalid([{ path: '/against', code: 'unknown_rule_set', message: 'names no rule set' }]);
  if (found.leftDatasetId !== leftDatasetId.toLowerCase() || found.rightDatasetId !== rightDatasetId.toLowerCase()) {
    const message = 'compares other datasets than ruleSet: name a rule set of the same two, or leave it out';
    throw invalid([{ path: '/against', code: 'other_datasets', message }]);
  }
  if (found.pass === null) return definition;
  const ruleSet = { ...(await getRuleSet(scope, id)), params: definition.params };
  const reconciliation = await getReconciliation(scope, found.pass.reconciliationId);
  return { ...definition, params: paramsOfPass(ruleSet, reconciliation) };
}

/** @throws AppError simulation_not_found */
export async function getSimulation({ db }: Pick<TenantScope, 'db'>, id: string): Promise<SimulationView> {
  const row = await db.orm.simulation.findFirst({ where: { id } });
  if (!row) throw inquiryNotFound(simulationInquiry);
  return row as unknown as SimulationView;
}

type ListedSimulation = Omit<SimulationView, 'answer' | 'definition'>;

/** Lists simulations, newest first, without their rule sets and answers. */
export async function listSimulations({ db }: TenantScope, page: PageRequest): Promise<Page<ListedSimulation>> {
  return readPage(page, {
    count: () => db.orm.simulation.count(),
    rows: async ({ skip, take, beforeId }) =>
      (await db.orm.simulation.findMany({
        where: beforeId === undefined ? {} : { id: { lt: beforeId } },
        orderBy: { id: 'desc' },
        skip,
        take,
        omit: { answer: true, definition: true },
      })) as unknown as ListedSimulation[],
  });
}

/** @throws AppError simulation_not_found, job_not_running */
export const cancelSimulation = (scope: TenantScope, id: string): Promise<void> =>
  cancelInquiry(scope, simulationInquiry, id);
