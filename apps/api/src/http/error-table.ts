import type { ErrorCode } from '@tieout/infra';

/** The HTTP status of every error code of the service. */
export const statusByCode = {
  validation_error: 400,
  malformed_json: 400,
  tenant_required: 400,
  webhook_url_not_allowed: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  tenant_not_found: 404,
  api_key_not_found: 404,
  data_source_not_found: 404,
  data_source_file_not_found: 404,
  dataset_not_found: 404,
  dataset_field_not_found: 404,
  record_not_found: 404,
  rule_set_not_found: 404,
  matching_job_not_found: 404,
  match_not_found: 404,
  composite_match_not_found: 404,
  webhook_not_found: 404,
  webhook_delivery_not_found: 404,
  route_not_found: 404,
  job_not_running: 409,
  conflict: 409,
  idempotency_key_in_use: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  evaluation_timeout: 422,
  expression_memory: 422,
  internal_error: 500,
  service_unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

export type ErrorStatus = (typeof statusByCode)[ErrorCode];
