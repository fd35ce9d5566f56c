import fs from 'node:fs';
import path from 'node:path';
import { scopes } from './scopes';
import { roles, scopesOfRole, type Role } from './roles';

const page = fs.readFileSync(path.join(__dirname, '../../../../docs/reference/people.md'), 'utf8');

/** The row of a role in the documentation. */
function rowOf(role: Role): string {
  const own = scopesOfRole[role];
  const before = scopesOfRole[roles[roles.indexOf(role) - 1] ?? 'admin'];
  const added = own.filter((scope) => !before.includes(scope));
  if (own.length === 0) return 'everything that the tenant may do';
  return role === 'viewer' ? 'every `:read`' : added.map((scope) => `\`${scope}\``).join(', ');
}

test.each(roles)('the documentation says what a %s may do', (role) => {
  expect(page).toContain(`\n- ${role}: ${rowOf(role)}\n`);
});

test('a viewer has every scope that reads, and no other one', () => {
  expect(scopesOfRole.viewer).toEqual(scopes.filter((scope) => scope.endsWith(':read')));
});

test.each(['preparer', 'approver'] as const)('a %s may do all that the role before may', (role) => {
  const before = scopesOfRole[roles[roles.indexOf(role) - 1] as Role];
  expect(before.filter((scope) => !scopesOfRole[role].includes(scope))).toEqual([]);
});
