import { AppError } from '@tieout/infra';
import { assertWithin, unlimited, type KeyLimits } from './limits';

const own: KeyLimits = {
  scopes: ['keys:write', 'records:read'],
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  allowedCidrs: ['10.0.0.0/8', '::1/128'],
};
const scopes = 'scopes may hold only keys:write, records:read';
const expiresAt = 'expiresAt must be at most 2027-01-01T00:00:00.000Z';
const allowedCidrs = 'allowedCidrs must lie within 10.0.0.0/8, ::1/128';

test.each<[string, Partial<KeyLimits>, string[]]>([
  ['scopes', { scopes: ['records:write'] }, [`${scopes}, not records:write`]],
  ['scopes and end', { scopes: [], expiresAt: null }, [scopes, expiresAt]],
  ['end and addresses', { expiresAt: null, allowedCidrs: [] }, [expiresAt, allowedCidrs]],
  ['everything', unlimited, [scopes, expiresAt, allowedCidrs]],
])('a refused key is told every limit that is too wide: %s', (_what, wanted, reasons) => {
  const attempt = (): void => assertWithin(own, { ...own, ...wanted });
  expect(attempt).toThrow(AppError);
  expect(attempt).toThrow(`A key cannot give out one that may do more than itself: ${reasons.join('; ')}`);
});

test('a key within the limits is given out', () => {
  expect(() => assertWithin(own, { ...own, allowedCidrs: ['10.1.0.0/16'] })).not.toThrow();
});
