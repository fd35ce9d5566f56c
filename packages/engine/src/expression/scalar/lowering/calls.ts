import type { SyntaxNode } from '../../syntax';
import { array, call, comma, constant } from '../ir';
import type { Ir } from '../ir';
import {
  applyRaw,
  asArgument,
  pipe,
  refuseClosure,
  refuseFunction,
  requireFunction,
  tailCall,
} from '../runtime/functions';
import { located } from '../../fault';
import { nativeValue } from '../runtime/natives';
import { partial } from '../runtime/partial';
import { functionType, mayBe } from '../value-types';
import type { LoweringContext } from './context';
import { nameValue } from './context';
import { lowerNative } from './natives';
import { unknownValue } from './operand';
import type { Operand } from './operand';
import { unsupported } from './unsupported';
import { findNativeName } from './variables';

/** Lowers a call. `piped` is the operand in front of `~>`, the call's first argument. */
export function lowerCall(node: SyntaxNode, at: LoweringContext, piped: Operand | null): Operand {
  const procedure = node.procedure as SyntaxNode;
  const first = piped === null ? [] : [pipedArgument(piped)];
  const nativeName = nativeNameOf(procedure, at);
  if (nativeName !== null) {
    return lowerNative({ name: nativeName, args: [...first, ...lowerArguments(node, at)], node }, at);
  }
  const target = at.lower(procedure, at);
  const args = [...first, ...lowerArguments(node, at)];
  const invoke = located(applyRaw, node, tokenOf(procedure));
  const callee = procedure.type === 'path' ? call(requireFunction, target.ir) : target.ir;
  return { ...unknownValue(call(invoke, callee, listOf(args), at.value.ir)), isRaw: true };
}

/** jsonata passes a function unchanged here, and nowhere else. */
function pipedArgument(value: Operand): Operand {
  return mayBe(value.type, functionType) ? { ...value, ir: call(refuseFunction, value.ir) } : value;
}

function nativeNameOf(procedure: SyntaxNode, at: LoweringContext): string | null {
  if (procedure.type !== 'variable' || procedure.predicate !== undefined || procedure.group !== undefined) return null;
  const name = String(procedure.value);
  return name === '' || name === '$' ? null : findNativeName(name, at);
}

function tokenOf(procedure: SyntaxNode): string | undefined {
  const { value } = procedure.type === 'path' ? (procedure.steps?.[0] ?? procedure) : procedure;
  return typeof value === 'string' ? value : undefined;
}

function lowerArguments(node: SyntaxNode, at: LoweringContext): Operand[] {
  return (node.arguments ?? []).map((argument) => passed(at.lower(argument, at)));
}

/** Lowers an argument. A function that is passed as one no longer sees the context of its caller. */
function passed(value: Operand): Operand {
  // A function at the end of a block is more than its name.
  if (value.nativeName !== undefined && value.ir.kind === 'constant')
    return { ...value, ir: constant(asArgument(nativeValue(value.nativeName))) };
  if (!mayBe(value.type, functionType) || value.regex !== undefined) return value;
  return { ...value, ir: call(asArgument, value.ir) };
}

function listOf(values: readonly Operand[]): Ir {
  return array(values.map((value) => value.ir));
}

/** jsonata calls a callback of these as a JavaScript function, which a lambda passed on in a tail call is not. */
const callsDirectly: ReadonlySet<string> = new Set(['sort']);

/**
 * Lowers a call at the end of a lambda. jsonata runs it for the caller of the lambda: arguments are passed unchanged,
 * the context is the caller's, and the result is not settled.
 */
export function lowerTailCall(node: SyntaxNode, at: LoweringContext): Operand {
  const procedure = node.procedure as SyntaxNode;
  const nativeName = nativeNameOf(procedure, at);
  if (nativeName !== null) {
    const args = (node.arguments ?? []).map((argument) => tailArgument(nativeName, at.lower(argument, at)));
    return lowerNative({ name: nativeName, args, node, isTail: true }, at);
  }
  const target = at.lower(procedure, at);
  const args = (node.arguments ?? []).map((argument) => at.lower(argument, at));
  if (at.lambda === null) return unsupported('tail call outside of a lambda');
  at.lambda.makesTailCalls = true;
  const callee = target.isLambda === true ? target.ir : call(requireFunction, target.ir);
  return { ...unknownValue(call(tailCall, callee, listOf(args))), isRaw: true };
}

function tailArgument(nativeName: string, value: Operand): Operand {
  if (!mayBe(value.type, functionType) || value.regex !== undefined) return value;
  if (value.nativeName !== undefined || callsDirectly.has(nativeName)) unsupported('function passed on in a tail call');
  return { ...value, ir: call(refuseClosure, value.ir) };
}

export function lowerPipe(node: SyntaxNode, at: LoweringContext): Operand {
  const left = at.lower(node.lhs as SyntaxNode, at);
  const rhs = node.rhs as SyntaxNode;
  if (rhs.type === 'function') {
    if (rhs.predicate !== undefined || rhs.group !== undefined) unsupported('filtered call behind ~>');
    const { before, named } = nameValue(at, left);
    const called = lowerCall(rhs, at, named);
    return { ...called, ir: comma(...before, called.ir) };
  }
  const right = at.lower(rhs, at);
  return { ...unknownValue(call(located(pipe, node, right.nativeName ?? '~>'), left.ir, right.ir)), isRaw: true };
}

/** Marks a `?` among the arguments. */
export function lowerPartial(node: SyntaxNode, at: LoweringContext): Operand {
  const given = node.arguments ?? [];
  const holes = given.map((argument) => argument.type === 'operator' && argument.value === '?');
  const args = given.map((argument, index) =>
    holes[index] === true ? constant(undefined) : partialArgument(at.lower(argument, at)),
  );
  const target = at.lower(node.procedure as SyntaxNode, at);
  // jsonata does not find the parameters of a function that was passed on.
  if (target.isLambda !== true && target.nativeName === undefined)
    unsupported('partial application of an unknown function');
  const ir = call(located(partial, node), target.ir, array(args), constant(holes));
  return { ir, type: functionType, isLambda: true };
}

function partialArgument(value: Operand): Ir {
  if (mayBe(value.type, functionType) && value.regex === undefined) unsupported('partial application to a function');
  return value.ir;
}
