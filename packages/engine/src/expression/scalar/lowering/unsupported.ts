import type { SyntaxNode } from '../../syntax';

/** A construct that the compiler leaves to the reference. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

export function unsupported(what: string): never {
  throw new Unsupported(what);
}

/** Refuses variables bound to each row of a path, and parent operators. */
export function refuseTuples(node: SyntaxNode): void {
  if (node.focus !== undefined || node.index !== undefined || node.tuple === true) unsupported('rows of a path');
  if (node.ancestor !== undefined || node.seekingParent !== undefined) unsupported('parent');
}
