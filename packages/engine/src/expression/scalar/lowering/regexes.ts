import type { SyntaxNode } from '../../syntax';
import { linearOf } from '../../regex';
import { constant } from '../ir';
import { matcher } from '../runtime/matcher';
import { FUNCTION } from '../value-types';
import type { Operand } from './operand';
import { unsupported } from './unsupported';

export function lowerRegex(node: SyntaxNode): Operand {
  // The parser copies the operand in front of a default operator through JSON, which has no regular expressions.
  if (!(node.value instanceof RegExp)) return unsupported('copied regular expression');
  const regex = linearOf(node.value, node.position);
  return { ir: constant(matcher(regex, node.position)), type: FUNCTION, regex };
}
