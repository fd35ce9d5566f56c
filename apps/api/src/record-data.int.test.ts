import type { Scope } from '@tieout/domain';
import type { Route } from './http';
import { neededScopes, type TenantAccess } from './http/access';
import { featureRoutes } from './routes';
import { openBooks, startTestApi, type TestApi } from '../testing';
import { ownRequests, type OwnRequest } from '../testing/isolation';
import { marks, openMarkedTenant, type MarkedTenant } from '../testing/marked-records';

interface TenantRoute extends Route {
  access: TenantAccess & { scope: Scope };
}

/** Without those about the caller's own access, which no scope protects. */
const routes = featureRoutes.filter(
  (route): route is TenantRoute => route.access.kind === 'tenant' && route.access.scope !== null,
);

/** Requests of operations without ids, and such as come upon marked values. */
const furtherRequests: Record<string, (marked: MarkedTenant) => OwnRequest[]> = {
  listRecords: () => [{}],
  exportRecords: () => [{ body: { fields: ['customer'], filters: { dataset: 'ours' } } }],
  createRecord: () => [{ query: { dataset: 'others' }, body: { externalId: 'x', body: { amount: 'y' } } }],
  createRecords: () => [{ query: { dataset: 'others' }, body: [{ externalId: 'x', body: { amount: 'y' } }] }],
  listMatches: () => [{}, { query: { stale: 'true' } }],
  listCompositeMatches: () => [{}, { query: { stale: 'true' } }],
  listMatchingJobs: () => [{}],
  listRuleSets: () => [{}],
  listSuggestions: () => [{}],
  listSimulations: () => [{}],
  getRuleSet: ({ quotingRuleSet }) => [{ path: { id: quotingRuleSet } }],
  updateRuleSet: ({ quotingRuleSet }) => [{ path: { id: quotingRuleSet }, body: { name: 'quoting records' } }],
  getMatchingJob: ({ quotingJob }) => [{ path: { id: quotingJob } }],
  listUnmatchedRecords: ({ resources: { job } }) => [{ path: { id: job }, query: { side: 'right' } }],
  listQuestions: ({ clusteringRuleSet }) => [{ path: { id: clusteringRuleSet } }],
  listClusters: ({ clusteringJob }) => [{ path: { id: clusteringJob } }],
  previewRuleSet: ({ sides, resources }) =>
    ['$error($string(left) & $string(right))', 'left.amount = right.amount'].flatMap((expr) => {
      const definition = { engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 1, matchers: [{ expr }] } };
      return [
        { body: { ruleSet: { ...definition, ...sides }, sample: { limit: 100 } } },
        { body: { ruleSet: { ...definition, ...sides }, pairs: [{ left: {}, right: {} }] } },
        { body: { ruleSetId: resources.ruleSet, sample: {} } },
        {
          body: {
            ruleSet: { ...definition, leftDatasetId: resources.leftDataset, rightDatasetId: resources.leftDataset },
            recordPairs: [{ left: resources.record, right: resources.record }],
          },
        },
      ];
    }),
  listDatasets: () => [{}],
  listDataSources: () => [{}],
  createDataSource: () => [{ body: { name: 'more', kind: 'files' } }],
  createDatasetField: ({ resources: { leftDataset } }) => [
    {
      path: { id: leftDataset },
      body: { name: 'Q', key: 'q', type: 'number', transform_expr: '$error($string($))' },
    },
  ],
  createDatasetFieldsFromColumns: ({ resources: { leftDataset } }) => [
    { path: { id: leftDataset }, body: { columns: [{ name: 'customer' }, { name: 'amount' }] } },
  ],
  previewDatasetFields: () => [
    { body: { fields: [{ key: 'q', type: 'number', transform_expr: '$error($string($))' }], records: [{}] } },
  ],
  getFile: ({ failedFile, resources: { dataSource } }) => [{ path: { id: dataSource, fileId: failedFile } }],
  listWebhooks: () => [{}],
  createWebhook: () => [{ body: { url: 'https://hooks.example/more', secret: 'whsec_more' } }],
  listConnectors: () => [{}],
  listItems: () => [{}],
  createItem: () => [{ body: { connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } } }],
  getBillingUsage: () => [{}],
  listReconciliations: () => [{}],
  getReconciliationReport: ({ resources: { reconciliation } }) => [
    { path: { id: reconciliation }, query: { format: 'json' } },
    { path: { id: reconciliation }, query: { format: 'csv' } },
  ],
  listReasonCodes: () => [{}],
  createReasonCode: () => [{ body: { code: 'more', label: 'More' } }],
  listProposals: ({ proposing }) => [{ path: { id: proposing } }],
  listOpenItemCandidates: ({ resources: { reconciliation }, tieable }) => [
    { path: { id: reconciliation, recordId: tieable.left[0] as string } },
  ],
  createMatchGroup: ({ resources: { reconciliation }, tieable }) => [
    {
      body: {
        reconciliationId: reconciliation,
        ...tieable,
        adjustments: [{ amount: -0.02, reasonCode: 'rounding' }],
      },
    },
  ],
  listAudit: () => [{}],
  exportAudit: () => [{}],
  verifyAudit: () => [{}],
  listApiKeys: () => [{}],
  createApiKey: () => [{ body: { label: 'more', scopes: ['keys:read'] } }],
  listUsers: () => [{}],
  createUser: () => [{ body: { email: 'more@example.com', name: 'More', role: 'viewer' } }],
};

let api: TestApi;
let marked: MarkedTenant;

beforeAll(async () => {
  api = await startTestApi();
  marked = await openMarkedTenant(api);
});

afterAll(() => api.close());

const requestsOf = ({ operationId }: Route): OwnRequest[] => [
  ...(furtherRequests[operationId]?.(marked) ?? []),
  ...(ownRequests[operationId]?.(marked.resources) ?? []),
];

async function ask({ method, path }: Route, request: OwnRequest, key: string) {
  const at = path.replace(/:(\w+)/g, (_, name: string) => request.path?.[name] ?? '');
  const form = request.form && new FormData();
  for (const [name, value] of Object.entries(request.form ?? {})) form?.set(name, value);
  form?.set('file', new Blob(['a,b\n3,4\n']), 'a.csv');
  const json = request.body && JSON.stringify(request.body);
  const response = await fetch(`${api.url}${at}?${new URLSearchParams(request.query).toString()}`, {
    method: method.toUpperCase(),
    headers: { 'x-api-key': key, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(form ? { body: form } : json === undefined ? {} : { body: json }),
  });
  return { status: response.status, text: await response.text() };
}

/** In the order in which all can be carried out: what removes something comes last. */
const order = Object.keys(ownRequests);
const inOrder = [...routes].sort((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId));

/** Answers before there is anything to quote, and refusals: no group waits for approval, and a key is no person. */
const fresh = [
  ...['startMatchingJob', 'startReconciliationRun', 'uploadFile', 'approveMatchGroup', 'rejectMatchGroup'],
  ...['confirmAgentProposal', 'rejectAgentProposal'],
];

/** Scopes that a request needs for what it asks. */
const scopesOfBody: Record<string, readonly Scope[]> = { createAgentProposal: ['reconciliations:write'] };

test('there is a request for every operation of tenants', () => {
  expect(routes.filter((route) => requestsOf(route).length === 0).map(({ operationId }) => operationId)).toEqual([]);
});

test.each(inOrder)(
  '$operationId: a key with no other scopes than its own sees nothing that records hold',
  async (route) => {
    const { scope, otherScopes = [], records } = route.access;
    const { key } = await api.newKey(marked.tenant, [scope, ...otherScopes]);
    const isOfRecords = scope.startsWith('records:');
    let isShown = false;
    let isAdmitted = false;
    for (const request of requestsOf(route)) {
      const narrow = await ask(route, request, key);
      expect(narrow.status).toBeLessThan(500);
      isAdmitted ||= !narrow.text.includes('needs the scope');
      if (!isOfRecords) expect(marks.exec(narrow.text)).toBeNull();
      if (records === 'whole' && !isOfRecords)
        expect(narrow).toMatchObject({ status: 403, text: expect.stringContaining('records:read') as string });
      if (route.method === 'delete') continue;
      const whole = await ask(route, request, marked.tenant.key);
      isShown ||= marks.test(whole.text);
    }
    expect({ isAdmitted }).toEqual({ isAdmitted: records !== 'whole' || isOfRecords });
    if (!fresh.includes(route.operationId))
      expect({ isShown }).toEqual({ isShown: !['none', 'chosen'].includes(records) });
  },
);

test.each(routes.filter(({ access }) => access.records === 'whole'))(
  '$operationId: with both scopes a key sees what an unrestricted one sees',
  async (route) => {
    const scopes = [...neededScopes(route.access), ...(scopesOfBody[route.operationId] ?? [])];
    const { key } = await api.newKey(marked.tenant, scopes);
    const request = requestsOf(route)[0] as OwnRequest;
    expect((await ask(route, request, key)).status).not.toBe(403);
  },
);

test('a stored answer for a key that sees records is not replayed to one that does not', async () => {
  const start = (key: string) =>
    api
      .withKey(key)
      .post('/v1/matching-jobs', { dataset: 'left' })
      .set('idempotency-key', 'view-1')
      .then(({ status, headers }) => ({ status, isReplayed: headers['idempotent-replayed'] }));
  const books = await openBooks(api, [{ ref: 'a' }], [{ ref: 'a' }]);
  await books.ruleSet();
  const [narrow, wide] = [
    await api.newKey(books.tenant, ['jobs:write']),
    await api.newKey(books.tenant, ['jobs:write', 'records:read']),
  ];
  expect(await start(books.tenant.key)).toEqual({ status: 202, isReplayed: undefined });
  expect(await start(wide.key)).toEqual({ status: 202, isReplayed: 'true' });
  expect(await start(narrow.key)).toEqual({ status: 422, isReplayed: undefined });
});
