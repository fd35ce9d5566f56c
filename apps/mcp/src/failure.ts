import { TieoutError } from '@tieout/client';
import { shownText } from './shown-text';

/** A call that cannot be carried out; the agent reads why, and what mends it. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly faults: readonly { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

const remedies: Record<string, string | undefined> = {
  insufficient_scope: 'A person has to give the key this scope, or make the change themselves.',
  missing_api_key: 'Set TIEOUT_KEY, or over HTTP the header Authorization: Bearer <key>.',
  invalid_api_key: 'The key is unknown, revoked or has expired: a person has to give another one.',
  address_not_allowed: 'The key does not work from this address: a person has to change allowedCidrs.',
  rate_limited: 'Wait as long as the message says, then call again.',
  too_many_jobs: 'Wait until running jobs have ended.',
  no_answer: 'The service does not answer: try again later, and check TIEOUT_URL.',
  redirected: 'TIEOUT_URL is not the address of Tieout itself.',
  no_tieout_answer: 'TIEOUT_URL is not the address of Tieout.',
  not_balanced: 'Choose other records, or add an adjustment of the amount that the message names.',
  record_held: 'A match group holds a record: leave it out, or ask a person to release the group.',
  record_excluded: 'A person has excluded a record: leave it out.',
  conflict: 'Read the state again before another try.',
};

const remedyOf = (code: string): string | undefined =>
  remedies[code] ?? (code.endsWith('_not_found') ? 'Search for the id again: this one is not there.' : undefined);

/** An error as the agent reads it. Messages may quote records. */
export interface ShownFailure {
  code: string;
  message: string;
  remedy?: string;
  errors?: { path: string; message: string }[];
}

/** Parts of a request that hold arguments of a tool. */
const holders = /^\/(?:query|(?:matchGroup|annotation|ruleSet|run)(?:\/set)?)(?=\/)/;

/** Turns a pointer into the request that a tool sends into one into the arguments of the tool. */
function inArguments(pointer: string): string {
  const inside = pointer.replace(holders, '');
  if (inside.startsWith('/params/')) return inside;
  return inside.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function describe(error: unknown): { code: string; message: string; faults: ToolFailure['faults'] } {
  if (error instanceof ToolFailure) return error;
  if (error instanceof TieoutError) {
    const { code, message, errors } = error.withPaths(inArguments);
    return { code, message, faults: errors };
  }
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout
    ? { code: 'timeout', message: 'The call took too long: ask for less, or call again', faults: [] }
    : { code: 'internal_error', message: 'The call failed inside the server for agents', faults: [] };
}

export function shownFailure(error: unknown): ShownFailure {
  const { code, message, faults } = describe(error);
  const remedy = remedyOf(code);
  return {
    code,
    message: shownText(message),
    ...(remedy !== undefined && { remedy }),
    ...(faults.length > 0 && {
      errors: faults.slice(0, 20).map((fault) => ({
        path: shownText(fault.path, 200),
        message: shownText(fault.message),
      })),
    }),
  };
}
