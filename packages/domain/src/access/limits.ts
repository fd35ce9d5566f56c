import { AppError, type FieldError } from '@tieout/infra';
import { areRangesWithin } from './address-ranges';
import { grants, mayCreateKeyWith, type Scope } from './scopes';

/** All that restricts a key: what it may do, until when, and from where. */
export interface KeyLimits {
  /** []: everything that the tenant may do. */
  scopes: readonly string[];
  /** null: for ever. */
  expiresAt: Date | null;
  /** []: from every address. */
  allowedCidrs: readonly string[];
}

/** Limits of the platform key. */
export const unlimited: KeyLimits = { scopes: [], expiresAt: null, allowedCidrs: [] };

const wider = (path: string, message: string): FieldError => ({ path, code: 'wider_than_own', message });

/**
 * Refuses to give out a key that reaches further than the one that asks for it.
 * @throws AppError insufficient_scope, which lists each limit that is too wide with the widest one possible
 */
export function assertWithin(own: KeyLimits, wanted: KeyLimits): void {
  const faults: FieldError[] = [];
  if (!mayCreateKeyWith(own.scopes, wanted.scopes)) {
    const lacking = wanted.scopes.filter((scope) => !grants(own.scopes, scope as Scope));
    faults.push(
      wider(
        '/scopes',
        `may hold only ${own.scopes.join(', ')}${lacking.length > 0 ? `, not ${lacking.join(', ')}` : ''}`,
      ),
    );
  }
  if (own.expiresAt && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt))
    faults.push(wider('/expiresAt', `must be at most ${own.expiresAt.toISOString()}`));
  if (!areRangesWithin(wanted.allowedCidrs, own.allowedCidrs))
    faults.push(wider('/allowedCidrs', `must lie within ${own.allowedCidrs.join(', ')}`));
  if (faults.length === 0) return;
  const reasons = faults.map(({ path, message }) => `${path.slice(1)} ${message}`);
  throw new AppError(
    'insufficient_scope',
    `A key cannot give out one that may do more than itself: ${reasons.join('; ')}`,
    { errors: faults },
  );
}

/**
 * Refuses to revoke a key that may do what the caller may not.
 * @throws AppError insufficient_scope
 */
export function assertMayRevoke(own: KeyLimits, scopes: readonly string[]): void {
  if (!mayCreateKeyWith(own.scopes, scopes))
    throw new AppError('insufficient_scope', 'A key cannot revoke one with scopes that it lacks itself');
}
