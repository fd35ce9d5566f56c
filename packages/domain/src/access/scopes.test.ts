import { grants, mayCreateKeyWith, scopes } from './scopes';

test('an empty list of scopes means all of them', () => {
  for (const scope of scopes) expect(grants([], scope)).toBe(true);
});

test('write implies read of the same resource and of no other', () => {
  expect(grants(['records:write'], 'records:read')).toBe(true);
  expect(grants(['records:write'], 'datasets:read')).toBe(false);
  expect(grants(['records:read'], 'records:write')).toBe(false);
});

test('a key can create keys with its own scopes, an unrestricted one with any', () => {
  expect(mayCreateKeyWith([], [])).toBe(true);
  expect(mayCreateKeyWith([], ['keys:write'])).toBe(true);
  expect(mayCreateKeyWith(['records:write'], ['records:read', 'records:write'])).toBe(true);
  expect(mayCreateKeyWith(['records:read'], ['records:read', 'records:write'])).toBe(false);
  expect(mayCreateKeyWith(['records:read'], [])).toBe(false);
});
