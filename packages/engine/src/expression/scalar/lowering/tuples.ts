import type { SyntaxNode } from '../../syntax';
import { unsupported } from './unsupported';

/** Variables that stand for each row of a path, and parents. */
export function refuseTuples(node: SyntaxNode): void {
  if (node.focus !== undefined || node.index !== undefined || node.tuple === true) unsupported('rows of a path');
  if (node.ancestor !== undefined || node.seekingParent !== undefined) unsupported('parent');
}
