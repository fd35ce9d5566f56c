import type { SyntaxNode } from '../../syntax';
import { linearOf } from '../../regex';
import { call, constant } from '../ir';
import { matcher } from '../runtime/matcher';
import { descendants, wildcard } from '../runtime/paths';
import { anyType, functionType } from '../value-types';
import { lowerArray, lowerGroup, lowerObject } from './constructors';
import { lowerCall, lowerPartial, lowerPipe } from './calls';
import type { LoweringContext } from './context';
import { lowerBlock } from './blocks';
import { lowerLambda } from './lambdas';
import { literal } from './operand';
import type { Operand } from './operand';
import { lowerBinary, lowerCondition, lowerNegation } from './operators';
import { lowerFilters, lowerName, lowerPath } from './paths';
import { handedOn, settled } from './sequences';
import { refuseTuples, unsupported } from './unsupported';
import { lowerVariable } from './variables';

/** A node with everything that follows it: filters, grouping, and what makes a value of a sequence. */
export function lowerNode(node: SyntaxNode, at: LoweringContext): Operand {
  refuseTuples(node);
  let result = lowerKind(node, at);
  if (node.predicate !== undefined) result = lowerFilters(node.predicate, result, at);
  if (node.group !== undefined && node.type !== 'path') result = lowerGroup(node.group, result, at);
  return settled(result, node.keepArray === true);
}

function lowerKind(node: SyntaxNode, at: LoweringContext): Operand {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return literal(node.value);
    case 'name':
      return lowerName(node, at);
    case 'path':
      return lowerPath(node, at);
    case 'variable':
      return handedOn(lowerVariable(node, at), at);
    case 'wildcard':
      return { ir: call(wildcard, at.value.ir), type: anyType, isRaw: true, ...inputOf(at.value) };
    case 'descendant':
      return { ir: call(descendants, at.value.ir), type: anyType, isRaw: true, ...inputOf(at.value) };
    case 'binary':
      return lowerBinary(node, at);
    case 'unary':
      return lowerUnary(node, at);
    case 'condition':
      return handedOn(lowerCondition(node, at), at);
    case 'block':
      return handedOn(lowerBlock(node.expressions ?? [], at), at);
    case 'regex':
      return lowerRegex(node);
    case 'lambda':
      return lowerLambda(node, at);
    case 'function':
      return lowerCall(node, at, null);
    case 'partial':
      return lowerPartial(node, at);
    case 'apply':
      return lowerPipe(node, at);
    default:
      return unsupported(node.type);
  }
}

function inputOf(value: Operand): { isInput: boolean } {
  return { isInput: value.isInput === true };
}

function lowerUnary(node: SyntaxNode, at: LoweringContext): Operand {
  if (node.value === '[') return lowerArray(node, at);
  if (node.value === '{') return lowerObject(node, at);
  return lowerNegation(node, at);
}

function lowerRegex(node: SyntaxNode): Operand {
  // The parser copies the operand in front of a default operator through JSON, which has no regular expressions.
  if (!(node.value instanceof RegExp)) return unsupported('copied regular expression');
  const { position } = node;
  const literal = { regex: linearOf(node.value, position), position };
  return { ir: constant(matcher(literal)), type: functionType, regex: literal };
}
