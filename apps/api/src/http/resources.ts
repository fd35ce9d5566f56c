import { AppError, type ErrorCode } from '@tieout/infra';

/** What an id in a path can name, with the error that an unknown id gives. */
const resources = {
  tenant: ['tenant_not_found', 'Tenant not found'],
  api_key: ['api_key_not_found', 'API key not found'],
  data_source: ['data_source_not_found', 'Data source not found'],
  file: ['data_source_file_not_found', 'File not found'],
  dataset: ['dataset_not_found', 'Dataset not found'],
  field: ['dataset_field_not_found', 'Field not found'],
  record: ['record_not_found', 'Record not found'],
  rule_set: ['rule_set_not_found', 'Rule set not found'],
  matching_job: ['matching_job_not_found', 'Matching job not found'],
  match: ['match_not_found', 'Match not found'],
  composite_match: ['composite_match_not_found', 'Composite match not found'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

export type ResourceName = keyof typeof resources;

export function resourceNotFound(resource: ResourceName): AppError {
  const [code, message] = resources[resource];
  return new AppError(code, message);
}
