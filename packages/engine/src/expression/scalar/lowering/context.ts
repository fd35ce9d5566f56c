import type { SyntaxNode } from '../../syntax';
import type { FunctionScope, Ir } from '../ir';
import { assign, local, newFunctionScope, newLocal } from '../ir';
import { anyType } from '../value-types';
import type { Operand } from './operand';
import type { VariableScope } from './scope';

/** The surroundings in which a node is evaluated. */
export interface LoweringContext {
  /** Lowers a node in a context; handed around, since the parts of the lowering call each other. */
  readonly lower: (node: SyntaxNode, at: LoweringContext) => Operand;
  /** The context value. It has a name. */
  readonly value: Operand;
  /** The input, `$$`. */
  readonly root: Operand;
  readonly variables: VariableScope | null;
  readonly scope: FunctionScope;
  /** Paths that have a value already, by the name of their base. */
  readonly known: Map<string, Operand>;
  /** True when sequences may be items of sequences anywhere in the expression. */
  readonly nestsSequences: boolean;
  /** Updated by a lambda's tail calls. */
  readonly lambda: { makesTailCalls: boolean } | null;
}

/** Returns the context of a part that may not be evaluated: facts learnt inside it do not hold after it. */
export function branch(at: LoweringContext): LoweringContext {
  return { ...at, known: new Map(at.known) };
}

/** A function of the program with one argument, the context of what is lowered inside. */
export function itemFunction(at: LoweringContext, isInput: boolean, body: (inside: LoweringContext) => Ir): Ir {
  const scope = newFunctionScope(at.scope);
  const parameter = newLocal(scope);
  const value: Operand = { ir: local(parameter), type: anyType, isInput };
  const inside: LoweringContext = { ...at, scope, value, known: new Map(at.known) };
  return { kind: 'function', scope, parameters: [parameter], body: body(inside) };
}

/** Gives a value a name, for everything that follows. */
export function nameValue(at: LoweringContext, operand: Operand): { before: Ir[]; named: Operand } {
  if (operand.ir.kind === 'local' || operand.ir.kind === 'constant') return { before: [], named: operand };
  const made = newLocal(at.scope);
  return { before: [assign(made, operand.ir)], named: { ...operand, ir: local(made) } };
}
