import { collectMeasures } from '@tieout/infra';
import { createTestDatabase, createTestService, type TestDatabase, type TestService } from '@tieout/testing';
import { startTestApi, type TestApi } from '../apps/api/testing';
import { openOwner, ownRequests, type Owner, type OwnRequest } from '../apps/api/testing/isolation';
import { featureRoutes } from '../apps/api/src/routes';
import { startReplicated, type ReplicatedPostgres } from './support/replicated';
import { eventually } from './support/stack';

let cluster: ReplicatedPostgres;
let database: TestDatabase;
let plainService: TestService;
let plain: TestApi;
let service: TestService;
let api: TestApi;
let owner: Owner;

beforeAll(async () => {
  cluster = await startReplicated();
  database = await createTestDatabase(cluster.url);
  plainService = await createTestService({ database });
  plain = await startTestApi({ service: plainService });
  owner = await openOwner(plain, 'own');
  service = await createTestService({ database, replicaUrls: cluster.replicasOf(database.url) });
  api = await startTestApi({ service });
  await eventually('both standbys are used', async () => {
    const reads = service.deps.db.forReads(owner.tenant.tenantId);
    const rows = await reads.query('select 1 where pg_is_in_recovery()');
    return rows.length > 0 ? true : undefined;
  });
});

afterAll(async () => {
  for (const each of [api, plain]) await each.close();
  for (const each of [service, plainService]) await each.close();
  await database.close();
  await cluster.close();
});

const routes = featureRoutes.filter(({ readsReplica }) => readsReplica);

/** Requests of routes for which the matrix of ids has none, or one whose answer has the time in it. */
const more: Record<string, (own: Owner['resources']) => OwnRequest[]> = {
  listRecords: () => [{ query: { limit: '1' } }, { query: { limit: '100' } }],
  exportRecords: () => [{ body: { fields: ['a'], filters: { dataset: 'uploaded' } } }],
  listMatchingJobs: () => [{}],
  getBillingUsage: () => [{}],
  verifyAudit: () => [{}],
  getReconciliationReport: ({ reconciliation: id }) =>
    ['groups', 'open_items'].map((section) => ({ path: { id }, query: { format: 'csv', section } })),
};

async function ask({ url }: TestApi, method: string, at: string, request: OwnRequest) {
  const address = at.replace(/:(\w+)/g, (_, name: string) => request.path?.[name] ?? '');
  const response = await fetch(`${url}${address}?${new URLSearchParams(request.query).toString()}`, {
    method: method.toUpperCase(),
    headers: { 'x-api-key': owner.tenant.key, ...(request.body ? { 'content-type': 'application/json' } : {}) },
    ...(request.body ? { body: JSON.stringify(request.body) } : {}),
  });
  return { status: response.status, body: await response.text() };
}

const taken = collectMeasures();

/** The servers that answered the reads of replicas since the last call. */
const targets = (): Set<string | undefined> =>
  new Set(
    taken()
      .filter(({ name }) => name === 'tieout_replica_reads_total')
      .map(({ labels }) => labels['target']),
  );

test.each(routes)('$operationId is answered by a standby, as by the primary', async ({ operationId, method, path }) => {
  const requests = (more[operationId] ?? ownRequests[operationId])?.(owner.resources) ?? [];
  expect(requests.length).toBeGreaterThan(0);
  for (const request of requests) {
    const expected = await ask(plain, method, path, request);
    expect(expected).toMatchObject({ status: 200 });
    await eventually('standbys answer all of it', async () => {
      targets();
      expect(await ask(api, method, path, request)).toEqual(expected);
      const used = targets();
      return used.has('replica') && used.size === 1 ? true : undefined;
    });
  }
});

test('every list and export of what grows is among them', () => {
  const small = [
    'listUsers',
    'listAgentProposals',
    'listSimulations',
    'listDataSources',
    'listItems',
    'listConnectors',
    'listDatasetFields',
    'listDatasets',
    'listSignInMethods',
    'listSessions',
    'listSuggestions',
    'listApiKeys',
    'listRuleSets',
    'listReasonCodes',
    'listTenants',
    'listWebhooks',
    'listReconciliations',
    'listPeriods',
  ];
  const others = featureRoutes
    .filter(({ operationId, readsReplica }) => /^(list|export)/.test(operationId) && !readsReplica)
    .map(({ operationId }) => operationId);
  expect(others.sort()).toEqual(small.sort());
});
