import type { SyntaxNode } from '../../syntax';
import { linearOf } from '../../regex';
import { constant } from '../ir';
import { matcher } from '../runtime/matcher';
import { FUNCTION } from '../value-types';
import type { Operand } from './operand';
import { unsupported } from './unsupported';

export function lowerRegex(node: SyntaxNode): Operand {
  // The parser copies what stands in front of a default operator by way of JSON, which knows no regular expressions.
  if (!(node.value instanceof RegExp)) return unsupported('copied regular expression');
  const regex = linearOf(node.value, node.position);
  return { ir: constant(matcher(regex, node.position)), type: FUNCTION, regex };
}
