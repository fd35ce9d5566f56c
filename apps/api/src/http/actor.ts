import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { grants, type Origin, type Scope } from '@tieout/domain';
import { AppError, createSchemaCompiler, invalid } from '@tieout/infra';
import { lacksScope, type Principal } from './access';
import { label } from './schemas';

export const actorHeader = 'x-actor';
export const agentHeader = 'x-agent';
/** The scope that a key needs to name the person behind a request. */
const namingScope = 'actors:name' satisfies Scope;

export const actorNameSchema = label(128);
const parseName = createSchemaCompiler()(actorNameSchema);

/** The person or agent behind a request, as the caller names them. */
export interface NamedActor {
  /** The person behind the request; null for none. */
  actorName: string | null;
  /** The agent that sends the request; null for none. */
  agentName: string | null;
}

/**
 * Reads the person or agent behind a request, as the caller names them.
 * @param scopes those of the key; [] for an unrestricted one and for the platform key
 * @throws AppError insufficient_scope; validation_error for a name that is repeated or invalid, and for both names
 */
export function readActorHeaders(request: Pick<Request, 'headersDistinct'>, scopes: readonly string[]): NamedActor {
  if (request.headersDistinct[actorHeader] !== undefined && !grants(scopes, namingScope))
    throw lacksScope(namingScope, `The header ${actorHeader} needs`);
  const [actorName, agentName] = [readName(request, actorHeader), readName(request, agentHeader)];
  if (actorName !== null && agentName !== null) {
    const message = `must be left out beside ${actorHeader}: a person or an agent acts, not both`;
    throw invalid([{ path: `/headers/${agentHeader}`, code: 'one_of', message }]);
  }
  return { actorName, agentName };
}

function readName({ headersDistinct }: Pick<Request, 'headersDistinct'>, header: string): string | null {
  const names = headersDistinct[header];
  if (names === undefined) return null;
  const path = `/headers/${header}`;
  if (names.length > 1) throw invalid([{ path, code: 'duplicate_header', message: 'is given more than once' }]);
  const parsed = parseName(textOf(names[0] ?? ''));
  if (!parsed.ok) throw invalid(parsed.errors.map((error) => ({ ...error, path })));
  return parsed.value;
}

/** Node.js reads headers as Latin-1; most callers send UTF-8. */
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

/** @throws AppError insufficient_scope for a user who names another person or an agent: users act in their own name */
export function assertNoActorHeaders({ headersDistinct }: Pick<Request, 'headersDistinct'>): void {
  const header = [actorHeader, agentHeader].find((name) => headersDistinct[name] !== undefined);
  if (header !== undefined)
    throw new AppError('insufficient_scope', `A user who is signed in is the actor: leave the header ${header} out`);
}

/** Gives the author of what a request does, for the audit. */
export function originOf({ principal, requestId }: { principal: Principal; requestId: string }): Origin {
  if (principal.kind === 'tenant' && principal.user) {
    const { id, email } = principal.user;
    return { actor: { type: 'user', id, label: email }, requestId };
  }
  const apiKeyId = principal.kind === 'tenant' ? principal.apiKeyId : null;
  if (principal.kind === 'public') return { actor: { type: 'operator', id: null, label: null }, requestId };
  const { actorName, agentName } = principal;
  if (agentName !== null) return { actor: { type: 'agent', id: apiKeyId, label: agentName }, requestId };
  return { actor: { type: apiKeyId === null ? 'operator' : 'key', id: apiKeyId, label: actorName }, requestId };
}
