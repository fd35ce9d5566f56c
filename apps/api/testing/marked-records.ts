import { fillItems, tenantScope } from '@tieout/domain';
import { uploadTo, type JobBody, type ListBody, type MatchBody, type TestApi, type TestTenant } from '.';
import { openOwner, type Resources } from './isolation';
import { closedMonth } from './isolation/requests';

/** Matches parts of all values that the tenant's records hold; nothing else contains them. */
export const marks = /MARKED|918273|918000|273\.05|1987-06-/;

const params = {
  Tmatch: 0.8,
  Tpossible: 0.5,
  matchers: [{ id: 'amount', expr: 'left.amount = right.amount', weight: 1 }],
  blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 20 },
  assignment: 'one_to_one',
  composition: {
    enabled: true,
    direction: 'right_to_many_left',
    dateStrategy: 'before',
    dateToleranceDays: 40,
    matchKeys: [{ left: 'customer', right: 'customer' }],
  },
};

/** Fails on every pair with an error that quotes a record. */
const quotingParams = {
  Tmatch: 0.8,
  Tpossible: 0.5,
  matchers: [{ id: 'quote', expr: '$error($string(left) & $string(right))', weight: 1 }],
};

const row = (name: string, amount: string, change: object = {}) => ({
  externalId: `MARKED-${name}`,
  body: { amount, date: '1987-06-05', customer: `MARKED ${name.charAt(0)}`, ...change },
});

/** A statement whose preamble, rows and cells are marked, and whose last rows cannot be used. */
const csv = [
  'Account;MARKED-DE1234',
  'Balance;918273,64 EUR',
  'date;amount;text',
  ...Array.from({ length: 9 }, (_, i) => `0${i + 1}.06.1987;918273,6${i};row ${i}`),
  '10.06.1987;MARKED;odd',
  '11.06.1987;918273,70;too;many;MARKED',
].join('\n');

/** A table whose first row may name its columns, or be a row. */
const unnamed = 'MARKED Hans;MARKED Berlin\nEva;Rome\nMax;Paris\n';

const refused = `OFXHEADER:100
DATA:OFXSGML

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>MARKED refused</STATUS>
<DTSERVER>19870605<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1></OFX>`;

/** A tenant whose records, jobs, matches and files hold marked values. */
export interface MarkedTenant {
  tenant: TestTenant;
  resources: Resources;
  /** A file whose reading failed. */
  failedFile: string;
  /** A rule set whose expression quotes records, and a job of it. */
  quotingRuleSet: string;
  quotingJob: string;
  /** A rule set that compares a dataset with itself, and a job of it. */
  clusteringRuleSet: string;
  clusteringJob: string;
  /** The datasets of the marked rule sets. */
  sides: { leftDatasetId: string; rightDatasetId: string };
  /** A reconciliation with proposals. */
  proposing: string;
  /** Records of both sides that add up. */
  tieable: { left: string[]; right: string[] };
}

export async function openMarkedTenant(api: TestApi): Promise<MarkedTenant> {
  const owner = await openOwner(api, 'marked');
  const { tenant } = owner;
  const post = async <T = { id: string }>(path: string, body: object, status = 201): Promise<T> =>
    (await tenant.api.post(path, body).expect(status)).body as T;
  const send = (dataset: string, rows: object[]) => post(`/v1/records/bulk?dataset=${dataset}`, rows, 202);
  const [left, right] = [await post('/v1/datasets', { name: 'ours' }), await post('/v1/datasets', { name: 'theirs' })];
  await send('ours', [row('A1', '918273.64'), row('B1', '918000.60'), row('B2', '273.05')]);
  await send('theirs', [row('A1', '918273.64'), row('B9', '918273.65'), row('C1', '9182731.5')]);
  await api.runIngest();
  const sides = { leftDatasetId: left.id, rightDatasetId: right.id };
  const ruleSetOf = (name: string, definition: object) =>
    post('/v1/rule-sets', { name, ...sides, engine: 'jsonata-batch', params: definition });
  const run = async (ruleSetId: string): Promise<string> => {
    const job = await post<JobBody>('/v1/matching-jobs', { dataset: 'ours', ruleSetIds: [ruleSetId] }, 202);
    await api.runMatching();
    return job.id;
  };
  const [ruleSet, quoting] = [await ruleSetOf('plain', params), await ruleSetOf('quoting', quotingParams)];
  const clustering = await post('/v1/rule-sets', {
    name: 'clustering',
    leftDatasetId: left.id,
    rightDatasetId: left.id,
    jsonataExpr: 'true',
    params: { Tmatch: 1, Tpossible: 1 },
  });
  const clusteringJob = await run(clustering.id);
  const job = await run(ruleSet.id);
  const quotingJob = await run(quoting.id);
  const first = async (path: string): Promise<string> =>
    ((await tenant.api.get(path).expect(200)).body as ListBody<MatchBody>).items[0]?.id as string;
  const match = await first(`/v1/matches?matchingJobId=${job}`);
  const composite = await first(`/v1/composite-matches?jobId=${job}`);
  await post(`/v1/matches/${match}/review`, { action: 'confirm' }, 200);
  await post(`/v1/composite-matches/${composite}/review`, { action: 'confirm' }, 200);
  await send('ours', [row('A1', '918273.65'), row('B1', '918000.61')]);
  const file = await uploadTo(tenant.api, owner.resources.dataSource, csv, { dataset: 'statement' }, 'statement.csv');
  await uploadTo(tenant.api, owner.resources.dataSource, unnamed, { dataset: 'unnamed' }, 'unnamed.csv');
  const failed = await uploadTo(tenant.api, owner.resources.dataSource, refused, { dataset: 'refused' }, 'refused.ofx');
  await api.runIngest();
  await api.runMatching();
  const record = (await tenant.api.get('/v1/records?dataset=ours').expect(200)).body as ListBody<{ id: string }>;
  const named = async (names: string[], dataset = 'ours'): Promise<string[]> => {
    const { body } = await tenant.api.get(`/v1/records?dataset=${dataset}`).expect(200);
    const { items } = body as ListBody<{ id: string; external_id: string }>;
    return items.filter((one) => names.some((name) => one.external_id === `MARKED-${name}`)).map(({ id }) => id);
  };
  const reconciled = await reconcileMarked(api, tenant, sides);
  const proposing = await proposeMarked(api, tenant, sides);
  const suggestion = await suggestMarked(api, tenant);
  const simulated = { ...sides, engine: 'jsonata-batch', params: quotingParams };
  const simulation = (await post('/v1/rule-sets/simulate', { ruleSet: simulated, against: quoting.id }, 202)).id;
  await api.runMatching();
  return {
    tenant,
    resources: {
      ...owner.resources,
      suggestion,
      simulation,
      ...reconciled,
      leftDataset: left.id,
      rightDataset: right.id,
      record: record.items[0]?.id as string,
      ruleSet: ruleSet.id,
      job,
      match,
      composite,
      file: file.id,
    },
    proposing,
    failedFile: failed.id,
    quotingRuleSet: quoting.id,
    quotingJob,
    clusteringRuleSet: clustering.id,
    clusteringJob,
    sides,
    tieable: { left: await named(['B1', 'B2']), right: await named(['A1'], 'theirs') },
  };
}

/** A suggestion for datasets whose records are marked. */
async function suggestMarked(api: TestApi, tenant: TestTenant): Promise<string> {
  const idOf = async (path: string, body: object, status: number): Promise<string> =>
    ((await tenant.api.post(path, body).expect(status)).body as { id: string }).id;
  const dataset = async (name: string): Promise<string> => {
    const id = await idOf('/v1/datasets', { name }, 201);
    const rows = Array.from({ length: 30 }, (_, at) => ({
      body: { code: `MARKED${1_000 + 7 * at}`, text: `n ${at}` },
    }));
    await tenant.api.post(`/v1/records/bulk?dataset=${name}`, rows).expect(202);
    return id;
  };
  const sides = { leftDatasetId: await dataset('sent'), rightDatasetId: await dataset('received') };
  await api.runIngest();
  const id = await idOf('/v1/rule-sets/suggest', sides, 202);
  await api.runMatching();
  return id;
}

/** A reconciliation whose run proposes a pair of marked records. */
async function proposeMarked(api: TestApi, tenant: TestTenant, sides: MarkedTenant['sides']): Promise<string> {
  const idOf = async (path: string, body: object, status = 201): Promise<string> =>
    ((await tenant.api.post(path, body).expect(status)).body as { id: string }).id;
  const { composition: _none, ...definition } = params;
  const oneToOne = { ...definition, assignment: 'one_to_one' };
  const pass = await idOf('/v1/rule-sets', { name: 'proposing', ...sides, engine: 'jsonata-batch', params: oneToOne });
  const id = await idOf('/v1/reconciliations', {
    name: 'proposing',
    leftDatasetIds: [sides.leftDatasetId],
    rightDatasetIds: [sides.rightDatasetId],
    ruleSetIds: [pass],
    accept: 'review',
  });
  await fillItems(tenantScope(api.service.deps, tenant.tenantId), id);
  await idOf(`/v1/reconciliations/${id}/runs`, {}, 202);
  await api.runMatching();
  return id;
}

/** A reconciliation whose first pass ties marked records, and whose second one quotes them. */
async function reconcileMarked(
  api: TestApi,
  tenant: TestTenant,
  sides: MarkedTenant['sides'],
): Promise<
  Pick<Resources, 'reconciliation' | 'heldReconciliation' | 'run' | 'matchGroup' | 'certificate' | 'agentProposal'>
> {
  const idOf = async (path: string, body: object, status = 201): Promise<string> =>
    ((await tenant.api.post(path, body).expect(status)).body as { id: string }).id;
  const passes: string[] = [];
  for (const { composition: _none, ...definition } of [params, { ...quotingParams, composition: undefined }]) {
    const oneToOne = { ...definition, assignment: 'one_to_one' };
    passes.push(await idOf('/v1/rule-sets', { name: 'pass', ...sides, engine: 'jsonata-batch', params: oneToOne }));
  }
  const reconciliation = await idOf('/v1/reconciliations', {
    name: 'marked',
    leftDatasetIds: [sides.leftDatasetId],
    rightDatasetIds: [sides.rightDatasetId],
    ruleSetIds: passes,
  });
  await fillItems(tenantScope(api.service.deps, tenant.tenantId), reconciliation);
  const run = await idOf(`/v1/reconciliations/${reconciliation}/runs`, { mode: 'full' }, 202);
  await api.runMatching();
  const { body } = await tenant.api.get(`/v1/match-groups?jobId=${run}`).expect(200);
  const [group] = (body as { items: { id: string }[] }).items;
  const balance = { side: 'left', date: '1987-06-30', amount: 918273.64 };
  await idOf(`/v1/reconciliations/${reconciliation}/balances`, balance);
  const closed = await tenant.api
    .post(`/v1/reconciliations/${reconciliation}/periods/${closedMonth}/close`, {})
    .expect(200);
  const { certificate } = closed.body as { certificate: { id: string } };
  const [recordId] = (body as { items: { left: { record_id: string }[] }[] }).items.flatMap(({ left }) => left);
  const agentProposal = await idOf('/v1/agent-proposals', {
    reason: 'seen',
    annotation: {
      reconciliationId: reconciliation,
      recordIds: [recordId?.record_id],
      set: { note: 'MARKED by its note' },
    },
  });
  return {
    agentProposal,
    reconciliation,
    heldReconciliation: reconciliation,
    run,
    matchGroup: group?.id as string,
    certificate: certificate.id,
  };
}
