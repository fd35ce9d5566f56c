import { fillItems, tenantScope } from '@tieout/domain';
import {
  itemsOf,
  openBooks,
  openUser,
  storeComposite,
  uploadTo,
  type Books,
  type JobBody,
  type TestApi,
  type TestTenant,
} from '..';
import { closedMonth } from './requests';

/** Every kind of object that has an id. */
export type ResourceKind =
  | 'leftDataset'
  | 'rightDataset'
  | 'field'
  | 'record'
  | 'ruleSet'
  | 'suggestion'
  | 'simulation'
  | 'job'
  | 'clusterJob'
  | 'match'
  | 'composite'
  | 'dataSource'
  | 'file'
  | 'webhook'
  | 'delivery'
  | 'item'
  | 'ingest'
  | 'account'
  | 'card'
  | 'investment'
  | 'apiKey'
  | 'user'
  | 'session'
  | 'reconciliation'
  | 'pass'
  | 'heldReconciliation'
  | 'heldRecord'
  | 'run'
  | 'matchGroup'
  | 'agentProposal'
  | 'reasonCode'
  | 'certificate'
  | 'actor';

/** The id of each. */
export type Resources = Record<ResourceKind, string>;

export interface Owner {
  tenant: TestTenant;
  resources: Resources;
}

type IdBody = { id: string };

/** Creates a tenant that has one object of every kind. Its workers run in the given API. */
export async function openOwner(api: TestApi, seed: string): Promise<Owner> {
  const books = await openBooks(api, [{ ref: 'a' }, { ref: 'b' }], [{ ref: 'a' }, { ref: 'c' }, { ref: 'd' }]);
  const { tenant } = books;
  const post = async <T = IdBody>(path: string, body: object, status = 201): Promise<T> =>
    (await tenant.api.post(path, body).expect(status)).body as T;
  const field = await post(`/v1/datasets/${books.leftId}/fields`, { name: 'Ref', key: 'ref', type: 'string' });
  const dataSource = await post('/v1/data-sources', { name: 'files', kind: 'files' });
  const file = await uploadTo(tenant.api, dataSource.id, 'a,b\n1,2\n', { dataset: 'uploaded' }, 'a.csv');
  await api.runIngest();
  const webhook = await post<{ data: IdBody }>('/v1/webhooks', {
    url: 'https://hooks.example/events',
    secret: 'whsec_0123456789',
  });
  const delivery = await post<{ data: IdBody }>(`/v1/webhooks/${webhook.data.id}/test`, {}, 202);
  return {
    tenant,
    resources: {
      leftDataset: books.leftId,
      rightDataset: books.rightId,
      record: books.recordIds.get('l0') as string,
      field: field.id,
      dataSource: dataSource.id,
      file: file.id,
      webhook: webhook.data.id,
      delivery: delivery.data.id,
      apiKey: (await api.newKey(tenant, [])).id,
      user: (await openUser(api, tenant, { role: 'preparer' })).id,
      session: await keySession(api, tenant),
      ...(await reconciled(api, books)),
      clusterJob: await clustered(api, books),
      ...(await held(api, books, seed)),
      ...(await connected(api, tenant, seed)),
    },
  };
}

/** A session of the tenant's own key. */
async function keySession({ request }: TestApi, { key }: TestTenant): Promise<string> {
  const { body } = await request.post('/v1/sessions').send({ apiKey: key }).expect(201);
  return (body as { session: IdBody }).session.id;
}

async function reconciled(
  api: TestApi,
  books: Books,
): Promise<Pick<Resources, 'ruleSet' | 'suggestion' | 'simulation' | 'job' | 'match' | 'composite'>> {
  const ruleSet = await books.ruleSet();
  const sides = { leftDatasetId: books.leftId, rightDatasetId: books.rightId };
  const idOf = async (path: string, request: object): Promise<string> =>
    ((await books.tenant.api.post(path, request).expect(202)).body as IdBody).id;
  const suggestion = await idOf('/v1/rule-sets/suggest', sides);
  const definition = { ...sides, jsonataExpr: 'left.ref = right.ref', params: { Tmatch: 1, Tpossible: 1 } };
  const simulation = await idOf('/v1/rule-sets/simulate', { ruleSet: definition, against: ruleSet.id });
  const job: JobBody = await books.reconcile();
  const match = (await books.matches(job.id))['l0|r0'];
  const composite = await storeComposite(api, books, job, { target: 'l1', members: ['r1', 'r2'] });
  return { ruleSet: ruleSet.id, suggestion, simulation, job: job.id, match: match?.id as string, composite };
}

/** A job that compares a dataset with itself and finds one cluster. */
async function clustered(api: TestApi, { tenant, ruleSet, reconcile }: Books): Promise<string> {
  const { body: dataset } = await tenant.api.post('/v1/datasets', { name: 'people' }).expect(201);
  const rows = [1, 2].map((line) => ({ externalId: `p${line}`, body: { ref: 'a' } }));
  await tenant.api.post('/v1/records/bulk?dataset=people', rows).expect(202);
  await api.runIngest();
  const { id } = dataset as IdBody;
  await ruleSet({ leftDatasetId: id, rightDatasetId: id, jsonataExpr: 'left.ref = right.ref' });
  return (await reconcile({ dataset: 'people' })).id;
}

type HeldResources =
  | 'reconciliation'
  | 'pass'
  | 'heldReconciliation'
  | 'heldRecord'
  | 'run'
  | 'matchGroup'
  | 'agentProposal'
  | 'reasonCode'
  | 'actor'
  | 'certificate';

/** A reconciliation over the books, and another one whose run has held a group. */
async function held(api: TestApi, books: Books, seed: string): Promise<Pick<Resources, HeldResources>> {
  const { api: keyed } = books.tenant;
  const send = async (path: string, body: object, status = 201): Promise<Record<string, string>> =>
    (await keyed.post(path, body).expect(status)).body as Record<string, string>;
  const idOf = async (path: string, body: object, status = 201): Promise<string> =>
    (await send(path, body, status))['id'] as string;
  const params = { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one' };
  const make = async (name: string, leftDatasetId: string, rightDatasetId: string): Promise<[string, string]> => {
    const pass = await idOf('/v1/rule-sets', { name, leftDatasetId, rightDatasetId, jsonataExpr: 'true', params });
    const sides = { leftDatasetIds: [leftDatasetId], rightDatasetIds: [rightDatasetId] };
    return [await idOf('/v1/reconciliations', { name, ...sides, ruleSetIds: [pass] }), pass];
  };
  const [reconciliation, pass] = await make('books', books.leftId, books.rightId);
  const [bank, ledger] = [await idOf('/v1/datasets', { name: 'bank' }), await idOf('/v1/datasets', { name: 'ledger' })];
  const [heldReconciliation] = await make('bank', bank, ledger);
  const addRecord = (dataset: string): Promise<string> =>
    idOf(`/v1/records?dataset=${dataset}`, { body: { amount: 1 } }, 202);
  const addPair = async (): Promise<[string, string]> => [await addRecord('bank'), await addRecord('ledger')];
  await addPair();
  await api.runIngest();
  const run = await idOf(`/v1/reconciliations/${heldReconciliation}/runs`, { mode: 'full' }, 202);
  await api.runMatching();
  const pairs = [await addPair(), await addPair(), await addPair()];
  await api.runIngest();
  const groups: string[] = [];
  for (const [left, right] of pairs) {
    groups.push(await idOf('/v1/match-groups', { reconciliationId: heldReconciliation, left: [left], right: [right] }));
  }
  const { body: audit } = await keyed.get('/v1/audit?action=reconciliation.create').expect(200);
  await fillItems(tenantScope(api.service.deps, books.tenant.tenantId), reconciliation);
  const closed = await keyed.post(`/v1/reconciliations/${reconciliation}/periods/${closedMonth}/close`, {}).expect(200);
  const agentProposal = await idOf('/v1/agent-proposals', {
    reason: 'seen',
    annotation: { reconciliationId: heldReconciliation, recordIds: [pairs[1]?.[0]], set: { note: 'ours' } },
  });
  const reason = await send('/v1/reason-codes', { code: `of_${seed}`, label: 'Ours' });
  return {
    reconciliation,
    pass,
    heldReconciliation,
    heldRecord: pairs[1]?.[0] as string,
    run,
    matchGroup: groups[0] as string,
    agentProposal,
    reasonCode: reason['code'] as string,
    certificate: (closed.body as { certificate: IdBody }).certificate.id,
    actor: (audit as { items: { actor: IdBody }[] }).items[0]?.actor.id as string,
  };
}

async function connected(
  api: TestApi,
  tenant: TestTenant,
  seed: string,
): Promise<Pick<Resources, 'item' | 'ingest' | 'account' | 'card' | 'investment'>> {
  await api.startItems();
  const items = itemsOf(api, tenant);
  const { id } = await items.create('ok', { seed });
  await items.reached(id, 'UPDATED');
  const browse = async (list: string): Promise<Record<string, (IdBody & { type: string })[]>> =>
    (await tenant.api.get(`/v1/data-sources/openfinance/browse/${list}?itemId=${id}`).expect(200)).body as Record<
      string,
      (IdBody & { type: string })[]
    >;
  const accounts = (await browse('accounts'))['accounts'] ?? [];
  const accountOf = (type: string): string => accounts.find((account) => account.type === type)?.id as string;
  const ingest = (
    await tenant.api
      .post(`/v1/items/${id}/ingest`, { dataset: 'left', accountIds: [accountOf('CHECKING')] })
      .expect(202)
  ).body as IdBody;
  return {
    item: id,
    ingest: ingest.id,
    account: accountOf('CHECKING'),
    card: accountOf('CREDIT_CARD'),
    investment: (await browse('investments'))['investments']?.[0]?.id as string,
  };
}
