import { maxResultDepth } from '../../limits/bounds';
import type { SyntaxNode } from '../../syntax';
import { newFunctionScope, newLocal, local } from '../ir';
import type { FunctionScope, Ir, Local } from '../ir';
import { anyType, dataType, objectType } from '../value-types';
import { lowerBlock } from './blocks';
import type { LoweringContext } from './context';
import { lowerNode } from './node';
import type { Operand } from './operand';
import { isPlain } from './operators';
import { nestsSequences } from './sequences';
import { unsupported } from './unsupported';

export { nestsSequences } from './sequences';
export { Unsupported } from './unsupported';

export interface LoweredProgram {
  scope: FunctionScope;
  parameter: Local;
  body: Ir;
  /** True if the result is plain data that nothing else holds, nested no deeper than a result may be. */
  isPlain: boolean;
}

/** Deeper trees would take the stack that the evaluation itself may need. */
const maxTreeDepth = 300;

/** The program for an input that is an object without marks. */
export function lowerForObject(tree: SyntaxNode): LoweredProgram {
  return lower(tree, (input) => {
    const value: Operand = { ...input, type: objectType, isInput: true };
    return { value, root: value };
  });
}

/** The program for any other input. The caller wraps an array, as `[input]`. */
export function lowerForAny(tree: SyntaxNode, root: (wrapped: Ir) => Ir): LoweredProgram {
  return lower(tree, (input) => ({
    value: { ...input, type: anyType, isInput: true },
    root: { ir: root(input.ir), type: dataType, isInput: true },
  }));
}

function lower(tree: SyntaxNode, start: (input: Operand) => Pick<LoweringContext, 'value' | 'root'>): LoweredProgram {
  const scope = newFunctionScope(null);
  const parameter = newLocal(scope);
  let depth = 0;
  let deepest = 0;
  const lowerBounded = (node: SyntaxNode, at: LoweringContext): Operand => {
    depth++;
    if (depth > maxTreeDepth) unsupported('depth');
    deepest = Math.max(deepest, depth);
    const result = lowerNode(node, at);
    depth--;
    return result;
  };
  const { value, root } = start({ ir: local(parameter), type: anyType });
  const result = lowerBlock([tree], {
    lower: lowerBounded,
    value,
    root,
    scope,
    variables: null,
    known: new Map(),
    lambda: null,
    nestsSequences: nestsSequences(tree),
  });
  return { scope, parameter, body: result.ir, isPlain: isPlain(result) && deepest <= maxResultDepth };
}
