import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { grants, type Origin, type Scope } from '@tieout/domain';
import { AppError, createSchemaCompiler, invalid } from '@tieout/infra';
import { lacksScope, type Principal } from './access';
import { label } from './schemas';

export const actorHeader = 'x-actor';
/** The scope that a key needs to name the person behind a request. */
const namingScope = 'actors:name' satisfies Scope;

export const actorNameSchema = label(128);
const parseName = createSchemaCompiler()(actorNameSchema);

/**
 * Reads the person behind a request, as the caller names them; null for none.
 * @param scopes those of the key; [] for an unrestricted one and for the platform key
 * @throws AppError insufficient_scope; validation_error for a name that is given twice, or is none
 */
export function readActorName(
  { headersDistinct }: Pick<Request, 'headersDistinct'>,
  scopes: readonly string[],
): string | null {
  const names = headersDistinct[actorHeader];
  if (names === undefined) return null;
  if (!grants(scopes, namingScope)) throw lacksScope(namingScope, `The header ${actorHeader} needs`);
  const path = `/headers/${actorHeader}`;
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

/** @throws AppError insufficient_scope for a user who names another person: users act in their own name */
export function assertNamesNobody({ headersDistinct }: Pick<Request, 'headersDistinct'>): void {
  if (headersDistinct[actorHeader] !== undefined)
    throw new AppError(
      'insufficient_scope',
      `A user who is signed in is the actor: leave the header ${actorHeader} out`,
    );
}

/** Gives the author of what a request does, for the audit. */
export function originOf({ principal, requestId }: { principal: Principal; requestId: string }): Origin {
  if (principal.kind === 'tenant' && principal.user) {
    const { id, email } = principal.user;
    return { actor: { type: 'user', id, label: email }, requestId };
  }
  const apiKeyId = principal.kind === 'tenant' ? principal.apiKeyId : null;
  const label = principal.kind === 'public' ? null : principal.actorName;
  return { actor: { type: apiKeyId === null ? 'operator' : 'key', id: apiKeyId, label }, requestId };
}
