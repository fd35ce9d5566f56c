/** Scopes that a key can be restricted to. A key with an empty list may do everything that the tenant may do. */
export const scopes = [
  'records:read',
  'records:write',
  'datasets:read',
  'datasets:write',
  'rule-sets:read',
  'rule-sets:write',
  'jobs:read',
  'jobs:write',
  'matches:read',
  'matches:write',
  'matches:approve',
  'reconciliations:read',
  'reconciliations:write',
  'periods:write',
  'audit:read',
  'actors:name',
  'agents:commit',
  'webhooks:read',
  'webhooks:write',
  'items:read',
  'items:write',
  'browse:read',
  'billing:read',
  'keys:read',
  'keys:write',
  'users:read',
  'users:write',
] as const;

export type Scope = (typeof scopes)[number];

/** Returns whether a key with the scopes `granted` may use `needed`; write implies read. */
export function grants(granted: readonly string[], needed: Scope): boolean {
  return (
    granted.length === 0 ||
    granted.includes(needed) ||
    (needed.endsWith(':read') && granted.includes(needed.replace(/read$/, 'write')))
  );
}

/** Returns whether an agent may change something by itself. A key that may do everything does not include it. */
export const mayCommit = (granted: readonly string[]): boolean => granted.includes('agents:commit' satisfies Scope);

/** Returns whether a key with the scopes `granted` may create one with `wanted`: never more than it has itself. */
export function mayCreateKeyWith(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.length === 0 || (wanted.length > 0 && wanted.every((scope) => grants(granted, scope as Scope)));
}
