import { walk } from '../../syntax';
import type { SyntaxNode } from '../../syntax';
import { call } from '../ir';
import { findNative } from '../runtime/natives';
import { settle, settleKept } from '../runtime/sequences';
import { anyType, arrayType, functionType, isOnly, mayBe } from '../value-types';
import type { LoweringContext } from './context';
import { resultType } from './native-signatures';
import type { Operand } from './operand';

/** Settles a node's result: an empty sequence becomes nothing, a sequence of one item becomes that item. */
export function settled(result: Operand, isKept: boolean): Operand {
  if (!mayBe(result.type, arrayType)) return { ...result, isRaw: false };
  if (isKept) return { ...result, ir: call(settleKept, result.ir), type: anyType, isRaw: false };
  if (result.isRaw !== true) return result;
  const members =
    isOnly(result.type, anyType & ~functionType) && result.isInput === true ? anyType & ~functionType : anyType;
  return { ...result, ir: call(settle, result.ir), type: members, isRaw: false };
}

/**
 * Returns the result of a node that passes on a settled result. jsonata settles it again, which only matters where
 * sequences may be items of sequences.
 */
export function handedOn(result: Operand, at: LoweringContext): Operand {
  return at.nestsSequences && result.isInput !== true ? { ...result, isRaw: true } : result;
}

/**
 * Returns whether a function of the expression may return an unsettled sequence, which then becomes an item of a
 * sequence: one of jsonata's functions is used as a value, or a lambda ends with a call of it.
 */
export function nestsSequences(tree: SyntaxNode): boolean {
  const settledCalls = new Set<SyntaxNode | undefined>();
  const tailCalls = new Set<SyntaxNode | undefined>();
  let isFound = false;
  walk(tree, ({ node }) => {
    if (node.thunk === true) tailCalls.add(node.body);
    if (node.type === 'function' && !tailCalls.has(node)) settledCalls.add(node.procedure);
    if (node.type === 'variable' && !settledCalls.has(node) && mayGiveSequence(String(node.value))) isFound = true;
  });
  return isFound;
}

function mayGiveSequence(name: string): boolean {
  const native = findNative(name);
  return native !== undefined && mayBe(resultType(native), arrayType);
}
