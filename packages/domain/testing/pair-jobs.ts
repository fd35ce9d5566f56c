import type { RuleSetParams } from '@tieout/engine';
import { createConsumer, newId, type Consumer } from '@tieout/infra';
import { createTestService, queueDrained, type TestService } from '@tieout/testing';
import {
  createMatchingHandlers,
  createInquiryHandlers,
  createRuleSet,
  getMatchingJob,
  jobCatalog,
  listMatches,
  startMatchingJobs,
  tenantScope,
  type Match,
  type MatchingJobView,
  type TenantScope,
} from '../src';

export type MatchOfPair = Omit<Match, 'explanation'> & { explanation: Record<string, unknown> };

export interface FinishedJob {
  job: MatchingJobView;
  /** Matches by `l0|r0`: the indexes of the left and the right record. */
  matches: Map<string, MatchOfPair>;
  ruleSetId: string;
}

/** Two lists of records, and the rules to match them by. */
export interface JobInput {
  lefts: readonly object[];
  rights: readonly object[];
  params: RuleSetParams;
  jsonataExpr?: string;
}

/**
 * Runs jobs through the queue and reads their matches, with a tenant for each test. Called at the top of a test file.
 */
export function usePairJobs() {
  let service: TestService;
  let scope: TenantScope;
  let consumer: Consumer;

  const startWorker = async (): Promise<void> => {
    consumer = await createConsumer({
      catalog: jobCatalog,
      queue: 'matching',
      settings: service.queueSettings,
      logger: service.deps.logger,
      concurrency: 2,
      handlers: {
        ...createMatchingHandlers(service.deps),
        ...createInquiryHandlers(service.deps),
      },
    });
  };

  async function newTenant(): Promise<void> {
    const tenantId = newId();
    await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
    scope = tenantScope(service.deps, tenantId);
  }

  beforeAll(async () => {
    service = await createTestService();
    await startWorker();
  });
  beforeEach(newTenant);
  afterAll(async () => {
    await consumer.close();
    await service.close();
  });

  async function newDataset(name: string, rows: readonly object[]): Promise<string> {
    const id = newId();
    await scope.db.execute(
      `insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, 'records')`,
      [id, scope.tenantId, name],
    );
    await scope.db.execute(
      `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
       select r.id, $1::uuid, $2::uuid, r.external_id, r.data, '{}', 'ready'
         from unnest($3::uuid[], $4::text[], $5::jsonb[]) as r(id, external_id, data)`,
      [
        scope.tenantId,
        id,
        rows.map(() => newId()),
        rows.map((_, i) => `${name}${i}`),
        rows.map((row) => JSON.stringify(row)),
      ],
    );
    return id;
  }

  async function rerun(dataset: string): Promise<MatchingJobView> {
    const { jobIds } = await startMatchingJobs(scope, [{ dataset, path: '/dataset' }], undefined);
    await queueDrained(service.queueSettings, 'matching');
    return getMatchingJob(scope, jobIds[0] as string);
  }

  async function run({ lefts, rights, params, jsonataExpr }: JobInput): Promise<FinishedJob> {
    const suffix = newId();
    const ruleSet = await createRuleSet(scope, {
      name: 'rules',
      leftDatasetId: await newDataset(`l${suffix}-`, lefts),
      rightDatasetId: await newDataset(`r${suffix}-`, rights),
      engine: params.matchers ? 'jsonata-batch' : 'jsonata',
      jsonataExpr: jsonataExpr ?? null,
      params,
      logicJson: null,
    });
    const job = await rerun(`l${suffix}-`);
    return { job, matches: await matchesOf(job), ruleSetId: ruleSet.id };
  }

  async function matchesOf({ id, datasetName }: MatchingJobView): Promise<Map<string, MatchOfPair>> {
    const suffix = datasetName.slice(1);
    const records = await scope.db.query<{ id: string; name: string }>(
      'select id, external_id as name from records where tenant_id = $1::uuid',
      [scope.tenantId],
    );
    const names = new Map(records.map((record) => [record.id, record.name.replace(suffix, '')]));
    const found = new Map<string, MatchOfPair>();
    let cursor: string | undefined;
    do {
      const page = { page: 1, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { items, nextCursor } = await listMatches(scope, { matchingJobId: id }, page);
      for (const { explanation, ...match } of items) {
        const pair = `${names.get(match.leftRecordId)}|${names.get(match.rightRecordId)}`;
        found.set(pair, { ...match, explanation: JSON.parse(explanation.text) as Record<string, unknown> });
      }
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  /** Runs the work without a worker, and then the queue until it is empty. */
  async function withoutWorker(work: () => Promise<void>): Promise<void> {
    await consumer.close();
    await work();
    await startWorker();
    await queueDrained(service.queueSettings, 'matching');
  }

  return {
    get service(): TestService {
      return service;
    },
    get scope(): TenantScope {
      return scope;
    },
    newTenant,
    newDataset,
    run,
    rerun,
    matchesOf,
    withoutWorker,
  };
}
