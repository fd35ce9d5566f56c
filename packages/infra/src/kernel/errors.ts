/**
 * The error codes of the service. They have no HTTP meaning: apps/api maps each to a status in one exhaustive table.
 */
export const errorCodes = [
  'validation_error',
  'malformed_json',
  'tenant_required',
  'webhook_url_not_allowed',
  'base_url_not_allowed',
  'provider_rejected',
  'missing_api_key',
  'invalid_api_key',
  'invalid_session',
  'invalid_credentials',
  'insufficient_scope',
  'address_not_allowed',
  'cross_site_request',
  'tenant_suspended',
  'tenant_not_found',
  'api_key_not_found',
  'user_not_found',
  'session_not_found',
  'invitation_not_valid',
  'data_source_not_found',
  'data_source_file_not_found',
  'dataset_not_found',
  'dataset_field_not_found',
  'record_not_found',
  'rule_set_not_found',
  'matching_job_not_found',
  'suggestion_not_found',
  'simulation_not_found',
  'match_not_found',
  'composite_match_not_found',
  'reconciliation_not_found',
  'match_group_not_found',
  'agent_proposal_not_found',
  'certificate_not_found',
  'reason_code_not_found',
  'webhook_not_found',
  'webhook_delivery_not_found',
  'item_not_found',
  'item_ingest_not_found',
  'account_not_found',
  'investment_not_found',
  'provider_resource_not_found',
  'route_not_found',
  'job_not_running',
  'conflict',
  'reconciliation_in_use',
  'rule_set_is_a_pass',
  'record_held',
  'record_excluded',
  'approval_pending',
  'period_open',
  'period_closed',
  'period_locked',
  'item_busy',
  'item_not_ready',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'body_too_large',
  'quota_exceeded',
  'unsupported_media_type',
  'not_balanced',
  'mixed_currencies',
  'evaluation_timeout',
  'expression_memory',
  'rate_limited',
  'too_many_jobs',
  'internal_error',
  'provider_auth_failed',
  'provider_bad_response',
  'service_unavailable',
  'tenant_moving',
  'provider_unavailable',
  'provider_rate_limited',
  'provider_timeout',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One fault of an input. `path` is a JSON pointer into the request, in the request's own casing. */
export interface FieldError {
  path: string;
  code: string;
  message: string;
  [detail: string]: unknown;
}

interface AppErrorOptions {
  errors?: readonly FieldError[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An expected failure, safe to show to the caller: the message never holds internals. */
export class AppError extends Error {
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A setting is missing or invalid; the message lists every fault and is meant for the operator. */
export class ConfigError extends Error {}

/** Builds a `validation_error`. Default message: that of the first fault. */
export function invalid(errors: readonly FieldError[], message?: string): AppError {
  const first = errors[0];
  return new AppError('validation_error', message ?? describe(first), { errors });
}

function describe(error: FieldError | undefined): string {
  if (!error) return 'The request is invalid';
  return error.path === '' ? error.message : `${error.path}: ${error.message}`;
}

/** Gives the message of a thrown value, for logs and stored errors, without values that the database refused. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // In Prisma's messages all paragraphs but the last one show the call with its arguments.
  const message = error.name.startsWith('PrismaClient')
    ? (error.message.split('\n\n').at(-1) as string).trim()
    : error.message;
  return isDataException(error) ? message.replace(/"[^]*"/, '"…"') : message;
}

/** Gives the name, message and stack frames of an error. */
export function stackOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${messageOf(error)}`, ...frames].join('\n');
}

/**
 * True for PostgreSQL's codes of refused values, which the message quotes. Prisma puts the code into its own message.
 */
function isDataException({ message, ...error }: Error & { code?: unknown }): boolean {
  return /^22[0-9A-Z]{3}$/.test(String(error.code)) || /\bCode: `22[0-9A-Z]{3}`/.test(message);
}
