import { mayCommit } from '@tieout/domain';
import { AppError } from '@tieout/infra';
import type { PlatformPrincipal, TenantPrincipal } from './access';
import type { Route } from './define-route';

/** Returns whether a route only reads, or changes only the caller's own access. */
function onlyReads({ method, access }: Route): boolean {
  if (method === 'get') return true;
  return access.kind === 'tenant' && (access.scope === null || access.scope.endsWith(':read'));
}

/**
 * Keeps an agent from changing something by itself, whatever else its key may do.
 * @throws AppError insufficient_scope for an agent whose key does not name agents:commit
 */
export function assertMayChange<P extends TenantPrincipal | PlatformPrincipal>(route: Route, principal: P): P {
  const { agentName } = principal;
  if (agentName === null || onlyReads(route) || route.isForAgents === true) return principal;
  if (principal.kind === 'tenant' && mayCommit(principal.scopes)) return principal;
  throw new AppError(
    'insufficient_scope',
    'An agent changes nothing by itself: propose it with POST /v1/agent-proposals, or use a key whose scopes name ' +
      'agents:commit',
  );
}
