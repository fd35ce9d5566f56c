import { scopes, type Scope } from './scopes';

/** Roles of users, in order: each includes the rights of the one before it. */
export const roles = ['viewer', 'preparer', 'approver', 'admin'] as const;
export type Role = (typeof roles)[number];

const reads = scopes.filter((scope) => scope.endsWith(':read'));

const prepares: readonly Scope[] = [
  ...reads,
  'records:write',
  'datasets:write',
  'rule-sets:write',
  'jobs:write',
  'matches:write',
  'reconciliations:write',
];

/** The scopes of a role; [] for everything that the tenant may do. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: reads,
  preparer: prepares,
  approver: [...prepares, 'matches:approve', 'periods:write'],
  admin: [],
};
