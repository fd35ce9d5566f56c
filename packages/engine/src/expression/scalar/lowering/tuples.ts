import type { SyntaxNode } from '../../syntax';
import { unsupported } from './unsupported';

/** Refuses variables bound to each row of a path, and parent operators. */
export function refuseTuples(node: SyntaxNode): void {
  if (node.focus !== undefined || node.index !== undefined || node.tuple === true) unsupported('rows of a path');
  if (node.ancestor !== undefined || node.seekingParent !== undefined) unsupported('parent');
}
