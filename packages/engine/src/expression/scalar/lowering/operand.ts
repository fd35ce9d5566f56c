import { assign, comma, constant, local, newLocal, nothing } from '../ir';
import type { FunctionScope, Ir } from '../ir';
import type { RegexLiteral } from '../runtime/matcher';
import type { SameInOneCase } from '../runtime/text';
import { anyType, mayBe, typeOf, undefinedType } from '../value-types';
import type { ValueType } from '../value-types';

/** A value of the compiled program, with the facts known about it at compile time. */
export interface Operand {
  ir: Ir;
  type: ValueType;
  /** True when its objects are parts of the input, which hold neither functions nor sequences. */
  isInput?: boolean;
  /** True when the value may be a sequence of one item or none, as functions of jsonata return them. */
  isRaw?: boolean;
  /** True when it is new plain data, down to its last member. */
  isPlain?: boolean;
  regex?: RegexLiteral;
  /** A function of jsonata's own. */
  nativeName?: string;
  /** True when it is certainly a lambda. */
  isLambda?: boolean;
  /** The text before a change of case. Valid as long as the operand is `of`. */
  cased?: { of: Ir; text: Ir; same: SameInOneCase };
}

export const missing: Operand = { ir: nothing, type: undefinedType };

export function literal(value: unknown): Operand {
  return { ir: constant(value), type: typeOf(value) };
}

export function unknownValue(ir: Ir): Operand {
  return { ir, type: anyType };
}

export function isMissingPossible(operand: Operand): boolean {
  return mayBe(operand.type, undefinedType);
}

/** Returns whether a value can be used several times without being computed again. */
function isNamed(ir: Ir): boolean {
  return ir.kind === 'constant' || ir.kind === 'local';
}

/**
 * Evaluates the operands once, in order, and builds on their names. An operand that has a name already keeps it: no
 * variable changes within an expression.
 */
export function withNames(scope: FunctionScope, operands: readonly Operand[], build: (...named: Operand[]) => Ir): Ir {
  const before: Ir[] = [];
  const named = operands.map((operand) => {
    if (isNamed(operand.ir)) return operand;
    const at = newLocal(scope);
    before.push(assign(at, operand.ir));
    return { ...operand, ir: local(at) };
  });
  return comma(...before, build(...named));
}
