import { invalid } from '@tieout/infra';
import type { Actor } from '../kernel/scope';

/**
 * Names the person behind an actor: two keys that name one person are one person, whom a user of that email is too. A
 * name is one however it is spelled: in wide or composed letters, large or small, with blanks or signs that do not
 * show. An agent is itself alone, whatever it is called.
 */
export function personOf({ type, id, label }: Actor): string | null {
  if (label === null || type === 'agent') return id;
  const visible = label.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** @throws AppError validation_error for an agent, and for a key that names no person */
export function requirePerson({ type, label }: Actor, doing: string): void {
  if (type === 'user' || (type !== 'agent' && label !== null)) return;
  const message = `is needed: a person ${doing}. Name the person behind the key, or sign in`;
  throw invalid([{ path: '/headers/x-actor', code: 'no_person', message }]);
}
