import type { SyntaxNode } from '../../syntax';
import { call, comma, constant, local, newFunctionScope, newLocal } from '../ir';
import type { Ir } from '../ir';
import { makeLambda, makeTailCallingLambda, withRepeatedParameter, withSignature } from '../runtime/functions';
import { enterCall, leaveCall } from '../../limits/meter';
import type { FunctionValue } from '../runtime/values';
import { anyType, functionType } from '../value-types';
import { isPlainBinding, lowerBlock } from './blocks';
import { lowerTailCall } from './calls';
import type { LoweringContext } from './context';
import type { Operand } from './operand';
import { lowerCondition } from './operators';
import { newVariableScope } from './scope';
import { handedOn, settled } from './sequences';
import { unsupported } from './unsupported';

/** A lambda; its body sees the context of its definition. */
export function lowerLambda(node: SyntaxNode, at: LoweringContext): Operand {
  if (node.thunk === true) unsupported('tail call in an unusual place');
  const scope = newFunctionScope(at.scope);
  const variables = newVariableScope(at.variables, scope.depth);
  const parameters = (node.arguments ?? []).map((argument) => {
    const name = String(argument.value);
    if (name === '$') unsupported('parameter $$');
    const parameter = newLocal(scope);
    variables.bound.set(name, { ir: local(parameter), type: anyType });
    return parameter;
  });
  const repeats = variables.bound.size < parameters.length;
  const lambda = { makesTailCalls: false };
  const inside: LoweringContext = { ...at, scope, variables, lambda, known: new Map(at.known) };
  const body = comma(call(enterCall), call(leaveCall, lowerTail(node.body as SyntaxNode, inside).ir));
  const make = lambda.makesTailCalls ? makeTailCallingLambda : makeLambda;
  const made = call(make, { kind: 'function', scope, parameters, body }, constant(parameters.length));
  const checked = signed(made, node, at);
  return { ir: repeats ? call(withRepeatedParameter, checked) : checked, type: functionType, isLambda: true };
}

function signed(lambda: Ir, node: SyntaxNode, at: LoweringContext): Ir {
  const signature = node.signature as { validate: NonNullable<FunctionValue['validate']> } | undefined;
  if (signature === undefined) return lambda;
  const validate = constant((args: readonly unknown[], context: unknown) => signature.validate(args, context));
  return call(withSignature, lambda, validate, at.value.ir);
}

/**
 * Lowers the end of a lambda, nested in `around` conditions and blocks. jsonata runs a call there after the lambda has
 * returned, and does not settle its result.
 */
function lowerTail(node: SyntaxNode, at: LoweringContext, around = 0): Operand {
  if (!endsWithCall(node))
    return settledBy(around, isPlainBinding(node) ? lowerBlock([node], at) : at.lower(node, at), at);
  if (node.type === 'lambda') return lowerTailCall(node.body as SyntaxNode, at);
  if (node.predicate !== undefined || node.group !== undefined || node.keepArray === true)
    unsupported('filtered tail call');
  if (node.tuple === true || node.seekingParent !== undefined) unsupported('parent');
  const lowerInner: LoweringContext['lower'] = (inner, inside) => lowerTail(inner, inside, around + 1);
  if (node.type === 'condition') return lowerCondition(node, at, lowerInner);
  return lowerBlock(node.expressions ?? [], at, lowerInner);
}

/** Settles a value once for each of the `around` conditions and blocks that pass it on. */
function settledBy(around: number, value: Operand, at: LoweringContext): Operand {
  let result = value;
  for (let left = around; left > 0; left--) result = settled(handedOn(result, at), false);
  return result;
}

function endsWithCall(node: SyntaxNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.type === 'lambda') return node.thunk === true;
  if (node.type === 'condition') return endsWithCall(node.then) || endsWithCall(node.else);
  return node.type === 'block' && endsWithCall(node.expressions?.at(-1));
}
