import type { Resources } from './resources';

/** A request that succeeds, or is refused for another reason than an id, when all of its ids are the tenant's own. */
export interface OwnRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** A form with a file instead of a body. */
  form?: Record<string, string>;
}

/** The month that the reconciliation of an owner has closed. */
export const closedMonth = '1987-06';

const thresholds = { Tmatch: 1, Tpossible: 1 };
const jsonataExpr = 'left.ref = right.ref';
/** A note may quote records, so it is marked like their values. */
const note = 'MARKED as seen';
const byId = (id: string): OwnRequest => ({ path: { id } });

/**
 * Requests of every operation that has an id: together they fill all places for ids that the OpenAPI document names.
 * In this order they can all be sent: what removes something comes after what needs it.
 */
export const ownRequests: Record<string, (own: Resources) => OwnRequest[]> = {
  getRecord: ({ record }) => [byId(record)],
  listMatches: ({ job, ruleSet, record }) => [
    { query: { matchingJobId: job } },
    { query: { ruleSetId: ruleSet } },
    { query: { recordId: record } },
  ],
  getMatch: ({ match }) => [byId(match)],
  listCompositeMatches: ({ ruleSet, job }) => [{ query: { ruleSetId: ruleSet } }, { query: { jobId: job } }],
  getCompositeMatch: ({ composite }) => [byId(composite)],
  getMatchingJob: ({ job }) => [byId(job)],
  listUnmatchedRecords: ({ job }) => [{ path: { id: job }, query: { side: 'left' } }],
  listClusters: ({ clusterJob }) => [byId(clusterJob)],
  listRuleSets: ({ leftDataset, rightDataset }) => [
    { query: { leftDatasetId: leftDataset } },
    { query: { rightDatasetId: rightDataset } },
  ],
  getSuggestion: ({ suggestion }) => [byId(suggestion)],
  suggestRuleSet: ({ leftDataset, rightDataset }) => [
    { body: { leftDatasetId: leftDataset, rightDatasetId: rightDataset } },
  ],
  cancelSuggestion: ({ suggestion }) => [byId(suggestion)],
  listQuestions: ({ ruleSet }) => [byId(ruleSet)],
  trainRuleSet: ({ ruleSet }) => [byId(ruleSet)],
  getSimulation: ({ simulation }) => [byId(simulation)],
  simulateRuleSet: ({ leftDataset, rightDataset, ruleSet }) => [
    {
      body: {
        ruleSet: { leftDatasetId: leftDataset, rightDatasetId: rightDataset, jsonataExpr, params: thresholds },
        against: ruleSet,
      },
    },
  ],
  cancelSimulation: ({ simulation }) => [byId(simulation)],
  getRuleSet: ({ ruleSet }) => [byId(ruleSet)],
  getDataset: ({ leftDataset }) => [byId(leftDataset)],
  getDatasetSample: ({ leftDataset }) => [byId(leftDataset)],
  getDatasetProgress: ({ leftDataset }) => [byId(leftDataset)],
  listDatasetFields: ({ leftDataset }) => [byId(leftDataset)],
  getDataSource: ({ dataSource }) => [byId(dataSource)],
  listFiles: ({ dataSource }) => [byId(dataSource)],
  getFile: ({ dataSource, file }) => [{ path: { id: dataSource, fileId: file } }],
  listFileErrors: ({ dataSource, file }) => [{ path: { id: dataSource, fileId: file } }],
  getWebhook: ({ webhook }) => [byId(webhook)],
  listWebhookDeliveries: ({ webhook }) => [byId(webhook)],
  getWebhookDelivery: ({ webhook, delivery }) => [{ path: { id: webhook, deliveryId: delivery } }],
  getItem: ({ item }) => [byId(item)],
  listItemIngests: ({ item }) => [byId(item)],
  browseAccounts: ({ item }) => [{ query: { itemId: item } }],
  browseCreditCards: ({ item }) => [{ query: { itemId: item } }],
  browseInvestments: ({ item }) => [{ query: { itemId: item } }],
  browseAccountTransactions: ({ item, account }) => [{ query: { itemId: item, accountId: account } }],
  browseCreditCardTransactions: ({ item, card }) => [{ query: { itemId: item, cardId: card } }],
  browseInvestmentTransactions: ({ item, investment }) => [{ query: { itemId: item, investmentId: investment } }],
  getApiKey: ({ apiKey }) => [byId(apiKey)],
  getUser: ({ user }) => [byId(user)],
  evaluateRuleSet: ({ ruleSet }) => [{ path: { id: ruleSet }, body: { truth: [{ left: 'x', right: 'y' }] } }],
  exportEvaluation: ({ ruleSet }) => [{ path: { id: ruleSet }, body: { truth: [{ left: 'x', right: 'y' }] } }],
  previewRuleSet: ({ ruleSet, record, leftDataset, rightDataset }) => [
    {
      body: {
        ruleSet: { leftDatasetId: leftDataset, rightDatasetId: leftDataset, jsonataExpr, params: thresholds },
        recordPairs: [{ left: record, right: record }],
      },
    },
    { body: { ruleSetId: ruleSet, pairs: [{ left: {}, right: {} }] } },
    {
      body: {
        ruleSet: { leftDatasetId: leftDataset, rightDatasetId: rightDataset, jsonataExpr, params: thresholds },
        sample: {},
      },
    },
  ],

  listProposals: ({ reconciliation, ruleSet, record }) => [
    { path: { id: reconciliation } },
    { path: { id: reconciliation }, query: { ruleSetId: ruleSet } },
    { path: { id: reconciliation }, query: { recordId: record } },
  ],
  listOpenItemCandidates: ({ reconciliation, record }) => [{ path: { id: reconciliation, recordId: record } }],
  createMatchGroup: ({ reconciliation, record }) => [
    { body: { reconciliationId: reconciliation, left: [record], right: [record] } },
    { body: { reconciliationId: reconciliation, left: [{ recordId: record }], right: [{ recordId: record }] } },
  ],
  listAudit: ({ reconciliation, actor }) => [{ query: { objectId: reconciliation } }, { query: { actorId: actor } }],
  exportAudit: ({ reconciliation, actor }) => [{ query: { objectId: reconciliation } }, { query: { actorId: actor } }],
  reviewMatches: ({ match, job, ruleSet, record }) => [
    { body: { ids: [match], action: 'reject' } },
    { body: { filter: { matchingJobId: job }, action: 'reject' } },
    { body: { filter: { ruleSetId: ruleSet }, action: 'reject' } },
    { body: { filter: { recordId: record }, action: 'reject' } },
  ],
  reviewMatch: ({ match }) => [{ path: { id: match }, body: { action: 'confirm' } }],
  reviewCompositeMatch: ({ composite }) => [{ path: { id: composite }, body: { action: 'confirm' } }],
  createRuleSet: ({ leftDataset, rightDataset }) => [
    {
      body: { name: 'more', leftDatasetId: leftDataset, rightDatasetId: rightDataset, jsonataExpr, params: thresholds },
    },
  ],
  updateRuleSet: ({ ruleSet, leftDataset, rightDataset }) => [
    { path: { id: ruleSet }, body: { leftDatasetId: leftDataset, rightDatasetId: rightDataset } },
  ],
  createDataset: ({ dataSource }) => [{ body: { name: 'more', dataSourceId: dataSource } }],
  updateDataset: ({ leftDataset }) => [{ path: { id: leftDataset }, body: { kind: 'other' } }],
  createDatasetField: ({ leftDataset }) => [
    { path: { id: leftDataset }, body: { name: 'B', key: 'b', type: 'string' } },
  ],
  createDatasetFieldsFromColumns: ({ leftDataset }) => [
    { path: { id: leftDataset }, body: { columns: [{ name: 'C', type: 'string', key: 'c' }] } },
  ],
  updateDatasetField: ({ field }) => [{ path: { fieldId: field }, body: { name: 'Reference' } }],
  previewFile: ({ file }) => [{ form: { replaces: file } }],
  uploadFile: ({ dataSource, file }) => [{ path: { id: dataSource }, form: { dataset: 'uploaded', replaces: file } }],
  startMatchingJob: ({ leftDataset, ruleSet }) => [{ body: { datasetId: leftDataset, ruleSetIds: [ruleSet] } }],
  cancelMatchingJob: ({ job }) => [byId(job)],
  updateWebhook: ({ webhook }) => [
    { path: { id: webhook }, body: { url: 'https://hooks.example/others', secret: 'whsec_9876543210' } },
  ],
  rotateWebhookSigningSecret: ({ webhook }) => [{ path: { id: webhook }, body: {} }],
  testWebhook: ({ webhook }) => [byId(webhook)],
  retryWebhookDelivery: ({ webhook, delivery }) => [{ path: { id: webhook, deliveryId: delivery } }],
  ingestItem: ({ item, account }) => [{ path: { id: item }, body: { dataset: 'left', accountIds: [account] } }],
  answerItem: ({ item }) => [{ path: { id: item }, body: { parameters: { token: '123456' } } }],
  updateItem: ({ item }) => [{ path: { id: item }, body: {} }],
  inviteUser: ({ user }) => [byId(user)],
  updateUser: ({ user }) => [{ path: { id: user }, body: { role: 'viewer' } }],
  rotateApiKey: ({ apiKey }) => [{ path: { id: apiKey }, body: { overlapSeconds: 60 } }],

  getReconciliation: ({ reconciliation }) => [byId(reconciliation)],
  listOpenItems: ({ reconciliation }) => [byId(reconciliation)],
  getReconciliationSummary: ({ reconciliation }) => [byId(reconciliation)],
  getReconciliationReport: ({ reconciliation }) => [byId(reconciliation)],
  listPeriods: ({ reconciliation }) => [byId(reconciliation)],
  getPeriod: ({ reconciliation }) => [{ path: { id: reconciliation, period: closedMonth } }],
  listPeriodOpenItems: ({ reconciliation, certificate }) => [
    { path: { id: reconciliation, period: closedMonth } },
    { path: { id: reconciliation, period: closedMonth }, query: { certificateId: certificate } },
  ],
  listBalances: ({ reconciliation }) => [byId(reconciliation)],
  stateBalance: ({ reconciliation }) => [
    { path: { id: reconciliation }, body: { side: 'left', date: '2026-01-31', amount: 1 } },
  ],
  listMatchGroups: ({ heldReconciliation, heldRecord, run }) => [
    { query: { reconciliationId: heldReconciliation, records: 'true' } },
    { query: { recordId: heldRecord } },
    { query: { jobId: run } },
  ],
  getMatchGroup: ({ matchGroup }) => [{ path: { id: matchGroup }, query: { records: 'true' } }],
  createAgentProposal: ({ reconciliation, record, leftDataset, rightDataset }) => [
    { body: { reason: 'seen', annotation: { reconciliationId: reconciliation, recordIds: [record], set: { note } } } },
    { body: { reason: 'seen', run: { reconciliationId: reconciliation } } },
    {
      body: {
        reason: 'seen',
        matchGroup: { reconciliationId: reconciliation, left: [{ recordId: record }], right: [{ recordId: record }] },
      },
    },
    {
      body: {
        reason: 'seen',
        ruleSet: {
          name: 'drafted',
          leftDatasetId: leftDataset,
          rightDatasetId: rightDataset,
          jsonataExpr,
          params: thresholds,
        },
      },
    },
  ],
  listAgentProposals: ({ reconciliation }) => [{ query: { reconciliationId: reconciliation } }],
  getAgentProposal: ({ agentProposal }) => [byId(agentProposal)],
  createReconciliation: ({ leftDataset, rightDataset, pass }) => [
    { body: { name: 'more', leftDatasetIds: [leftDataset], rightDatasetIds: [rightDataset], ruleSetIds: [pass] } },
  ],
  updateReconciliation: ({ reconciliation, leftDataset, rightDataset, pass }) => [
    {
      path: { id: reconciliation },
      body: { leftDatasetIds: [leftDataset], rightDatasetIds: [rightDataset], ruleSetIds: [pass] },
    },
  ],
  annotateOpenItem: ({ reconciliation, record }) => [
    { path: { id: reconciliation, recordId: record }, body: { note: 'seen' } },
  ],
  annotateOpenItems: ({ reconciliation, record }) => [
    { path: { id: reconciliation }, body: { recordIds: [record], set: { note: 'seen' } } },
  ],
  startReconciliationRun: ({ reconciliation }) => [byId(reconciliation)],
  listRunChanges: ({ run }) => [byId(run)],
  listReconciliationRuns: ({ reconciliation }) => [byId(reconciliation)],
  reopenPeriod: ({ reconciliation }) => [
    { path: { id: reconciliation, period: closedMonth }, body: { reason: 'mistake' } },
  ],
  confirmAgentProposal: ({ agentProposal }) => [byId(agentProposal)],
  rejectAgentProposal: ({ agentProposal }) => [byId(agentProposal)],
  approveMatchGroup: ({ matchGroup }) => [byId(matchGroup)],
  rejectMatchGroup: ({ matchGroup }) => [{ path: { id: matchGroup }, body: { reasonCode: 'other' } }],
  releaseMatchGroup: ({ matchGroup }) => [{ path: { id: matchGroup }, body: { reasonCode: 'other' } }],
  releaseMatchGroups: ({ heldReconciliation, matchGroup, heldRecord, run }) => [
    { body: { ids: [matchGroup], reasonCode: 'other' } },
    { body: { filter: { recordId: heldRecord }, reasonCode: 'other' } },
    { body: { filter: { jobId: run }, reasonCode: 'other' } },
    { body: { filter: { reconciliationId: heldReconciliation }, reasonCode: 'other' } },
  ],
  undoMatchingJob: ({ run }) => [byId(run)],
  closePeriod: ({ reconciliation }) => [{ path: { id: reconciliation, period: closedMonth } }],
  lockPeriod: ({ reconciliation }) => [{ path: { id: reconciliation, period: closedMonth } }],
  deleteReasonCode: ({ reasonCode }) => [{ path: { code: reasonCode } }],

  deleteReconciliation: ({ reconciliation }) => [byId(reconciliation)],
  deleteItemIngest: ({ item, ingest }) => [{ path: { id: item, ingestId: ingest } }],
  deleteItem: ({ item }) => [byId(item)],
  deleteWebhook: ({ webhook }) => [byId(webhook)],
  deleteRecord: ({ record }) => [byId(record)],
  deleteRuleSet: ({ ruleSet }) => [byId(ruleSet)],
  deleteDatasetField: ({ field }) => [{ path: { fieldId: field } }],
  deleteDataset: ({ leftDataset }) => [byId(leftDataset)],
  endSession: ({ session }) => [byId(session)],
  deleteUser: ({ user }) => [byId(user)],
  revokeApiKey: ({ apiKey }) => [byId(apiKey)],
};

type Tree = { [key: string]: unknown };

/** Returns whether a request fills a place for an id. */
export function fills(request: OwnRequest, slot: string): boolean {
  return valueAt(request, slot) !== undefined;
}

/** The id at a place of a request. */
export function valueAt(request: OwnRequest, slot: string): string | undefined {
  const value = stepsOf(request, slot).reduce<unknown>((node, step) => (node as Tree | undefined)?.[step], request);
  return (Array.isArray(value) ? value[0] : value) as string | undefined;
}

/** The same request with another id at that place. */
export function withId(request: OwnRequest, slot: string, id: string): OwnRequest {
  const copy = structuredClone(request);
  const steps = stepsOf(request, slot);
  const last = steps.pop() as string;
  const node = steps.reduce<unknown>((at, step) => (at as Tree)[step], copy) as Tree;
  node[last] = Array.isArray(node[last]) ? [id] : id;
  return copy;
}

const stepsOf = ({ form }: OwnRequest, slot: string): string[] =>
  form && slot.startsWith('body/') ? ['form', ...slot.split('/').slice(1)] : slot.split('/');
