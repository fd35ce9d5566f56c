import type { SyntaxNode } from '../../syntax';
import { linearOf } from '../../regex';
import { constant } from '../ir';
import { matcher } from '../runtime/matcher';
import { FUNCTION } from '../value-types';
import type { Operand } from './operand';

export function lowerRegex(node: SyntaxNode): Operand {
  const regex = linearOf(node.value as RegExp, node.position);
  return { ir: constant(matcher(regex, node.position)), type: FUNCTION, regex };
}
