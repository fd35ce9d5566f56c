import { AppError, invalid, isUuid, isUuidV7, type ErrorCode } from '@tieout/infra';

/** The resources that ids in paths can name, each with the error of an unknown id. */
const resources = {
  tenant: ['tenant_not_found', 'Tenant not found'],
  user: ['user_not_found', 'User not found'],
  session: ['session_not_found', 'Session not found'],
  api_key: ['api_key_not_found', 'API key not found'],
  data_source: ['data_source_not_found', 'Data source not found'],
  file: ['data_source_file_not_found', 'File not found'],
  dataset: ['dataset_not_found', 'Dataset not found'],
  field: ['dataset_field_not_found', 'Field not found'],
  record: ['record_not_found', 'Record not found'],
  rule_set: ['rule_set_not_found', 'Rule set not found'],
  matching_job: ['matching_job_not_found', 'Matching job not found'],
  suggestion: ['suggestion_not_found', 'Suggestion not found'],
  simulation: ['simulation_not_found', 'Simulation not found'],
  match: ['match_not_found', 'Match not found'],
  composite_match: ['composite_match_not_found', 'Composite match not found'],
  reconciliation: ['reconciliation_not_found', 'Reconciliation not found'],
  match_group: ['match_group_not_found', 'Match group not found'],
  agent_proposal: ['agent_proposal_not_found', 'Agent proposal not found'],
  webhook: ['webhook_not_found', 'Webhook not found'],
  webhook_delivery: ['webhook_delivery_not_found', 'Delivery not found'],
  item: ['item_not_found', 'Item not found'],
  item_ingest: ['item_ingest_not_found', 'Ingest not found'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

export type ResourceName = keyof typeof resources;

/** Resources whose ids must be UUIDs of version 7: any other text is a validation error, not an unknown id. */
const strictIds: readonly ResourceName[] = ['webhook', 'webhook_delivery'];

/** Reads an id of a path, in lower case. @throws AppError when the text cannot be an id of the resource */
export function readResourceId(resource: ResourceName, name: string, text: string): string {
  if (strictIds.includes(resource)) {
    if (!isUuidV7(text)) throw invalid([{ path: `/path/${name}`, code: 'uuid_v7', message: 'must be a UUID v7' }]);
  } else if (!isUuid(text)) {
    throw resourceNotFound(resource);
  }
  return text.toLowerCase();
}

function resourceNotFound(resource: ResourceName): AppError {
  const [code, message] = resources[resource];
  return new AppError(code, message);
}
