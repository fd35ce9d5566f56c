import type { SyntaxNode } from '../../syntax';
import { both, call, choose, constant, either, operate } from '../ir';
import type { Ir } from '../ir';
import type { Operation } from '../operations';
import { arithmetic, concat, differs, equals, includes, isTruthy, negate, order } from '../runtime/operators';
import type { ArithmeticOperator, OrderOperator } from '../runtime/operators';
import { range } from '../runtime/sequences';
import { joinTexts } from '../runtime/text';
import { located } from '../../fault';
import {
  arrayType,
  booleanType,
  finiteType,
  functionType,
  isOnly,
  mayBe,
  nullType,
  numberType,
  objectType,
  stringType,
  undefinedType,
} from '../value-types';
import { branch } from './context';
import type { LoweringContext } from './context';
import { missing, withNames } from './operand';
import type { Operand } from './operand';
import { unsupported } from './unsupported';

const arithmetics: Readonly<Record<ArithmeticOperator, Operation>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
};

const orders: Readonly<Record<OrderOperator, Operation>> = {
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

export function lowerBinary(node: SyntaxNode, at: LoweringContext): Operand {
  const operator = String(node.value);
  if (operator === 'and' || operator === 'or') return lowerLogical(node, operator, at);
  const left = at.lower(node.lhs as SyntaxNode, at);
  const right = at.lower(node.rhs as SyntaxNode, at);
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return lowerArithmetic(node, operator, [left, right], at);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return lowerOrder(node, operator, [left, right], at);
    case '=':
      return { ir: equality(left, right, at), type: booleanType };
    case '!=':
      return { ir: inequality(left, right, at), type: booleanType };
    case '&':
      return lowerConcat(left, right, at);
    case 'in':
      return { ir: call(includes, left.ir, right.ir), type: booleanType };
    case '..':
      return { ir: call(located(range, node), left.ir, right.ir), type: undefinedType | arrayType, isRaw: true };
    default:
      return unsupported(`operator ${operator}`);
  }
}

function lowerLogical(node: SyntaxNode, operator: 'and' | 'or', at: LoweringContext): Operand {
  const left = truthOf(at.lower(node.lhs as SyntaxNode, at), at);
  const behind = branch(at);
  const right = truthOf(behind.lower(node.rhs as SyntaxNode, behind), behind);
  return { ir: operator === 'and' ? both(left, right) : either(left, right), type: booleanType };
}

/** Converts a value to a boolean of the generated program. */
function truthOf(operand: Operand, at: LoweringContext): Ir {
  if (isOnly(operand.type, booleanType)) return operand.ir;
  if (isOnly(operand.type, booleanType | undefinedType)) return operate('isTrue', operand.ir);
  if (!mayBe(operand.type, booleanType)) return call(isTruthy, operand.ir);
  return withNames(at.scope, [operand], (value) =>
    choose(operate('isBoolean', value.ir), value.ir, call(isTruthy, value.ir)),
  );
}

function isFiniteNumber({ ir, type }: Operand): Ir {
  if (isOnly(type, finiteType)) return constant(true);
  return mayBe(type, finiteType) ? operate('isFiniteNumber', ir) : constant(false);
}

export function isOfType({ ir, type }: Operand, kind: number, test: Operation): Ir {
  if (isOnly(type, kind)) return constant(true);
  return mayBe(type, kind) ? operate(test, ir) : constant(false);
}

type Sides = readonly [left: Operand, right: Operand];

function lowerArithmetic(
  node: SyntaxNode,
  operator: ArithmeticOperator,
  [left, right]: Sides,
  at: LoweringContext,
): Operand {
  const slow = located((first: unknown, second: unknown) => arithmetic(operator, first, second), node);
  const ir = withNames(at.scope, [left, right], (first, second) =>
    choose(
      both(isFiniteNumber(first), isFiniteNumber(second)),
      operate(arithmetics[operator], first.ir, second.ir),
      call(slow, first.ir, second.ir),
    ),
  );
  return { ir, type: numberType | ((left.type | right.type) & undefinedType) };
}

function lowerOrder(node: SyntaxNode, operator: OrderOperator, [left, right]: Sides, at: LoweringContext): Operand {
  const slow = located((first: unknown, second: unknown) => order(operator, first, second), node);
  const ir = withNames(at.scope, [left, right], (first, second) =>
    choose(
      both(isOfType(first, numberType, 'isNumber'), isOfType(second, numberType, 'isNumber')),
      operate(orders[operator], first.ir, second.ir),
      call(slow, first.ir, second.ir),
    ),
  );
  return { ir, type: booleanType | ((left.type | right.type) & undefinedType) };
}

const deepType = arrayType | objectType;

function equality(left: Operand, right: Operand, at: LoweringContext): Ir {
  const ofTexts = equalityInOneCase(left, right, at);
  if (ofTexts !== null) return ofTexts;
  if (mayBe(left.type, functionType) && mayBe(right.type, functionType)) return call(equals, left.ir, right.ir);
  return withNames(at.scope, [left, right], (first, second) => {
    const isPresent =
      mayBe(first.type, undefinedType) && mayBe(second.type, undefinedType)
        ? operate('isDefined', first.ir)
        : constant(true);
    return choose(operate('same', first.ir, second.ir), isPresent, deepEquality(first, second));
  });
}

/** Two texts in lower case are compared without making them; null where these are others. */
function equalityInOneCase(left: Operand, right: Operand, at: LoweringContext): Ir | null {
  const [first, second] = [left.cased, right.cased];
  if (first?.of !== left.ir || second?.of !== right.ir || first.same !== second.same) return null;
  const type = stringType | undefinedType;
  return withNames(
    at.scope,
    [
      { ir: first.text, type },
      { ir: second.text, type },
    ],
    (one, other) =>
      both(both(operate('isString', one.ir), operate('isString', other.ir)), call(first.same, one.ir, other.ir)),
  );
}

function deepEquality(first: Operand, second: Operand): Ir {
  if (!mayBe(first.type, deepType) || !mayBe(second.type, deepType)) return constant(false);
  const objects = both(operate('isOfObjectType', first.ir), operate('isOfObjectType', second.ir));
  return both(objects, call(equals, first.ir, second.ir));
}

function inequality(left: Operand, right: Operand, at: LoweringContext): Ir {
  const comparable = stringType | numberType | booleanType | nullType;
  if (isOnly(left.type, comparable) || isOnly(right.type, comparable)) {
    if (isOnly(left.type | right.type, comparable)) return operate('not', equality(left, right, at));
  }
  return call(differs, left.ir, right.ir);
}

function lowerConcat(left: Operand, right: Operand, at: LoweringContext): Operand {
  const ir = withNames(at.scope, [left, right], (first, second) =>
    choose(
      both(isOfType(first, stringType, 'isString'), isOfType(second, stringType, 'isString')),
      call(joinTexts, first.ir, second.ir),
      call(concat, first.ir, second.ir),
    ),
  );
  return { ir, type: stringType };
}

export function lowerNegation(node: SyntaxNode, at: LoweringContext): Operand {
  const operand = at.lower(node.expression as SyntaxNode, at);
  const slow = located(negate, node);
  const ir = withNames(at.scope, [operand], (value) =>
    choose(isFiniteNumber(value), operate('negate', value.ir), call(slow, value.ir)),
  );
  return { ir, type: numberType | (operand.type & undefinedType) };
}

export function lowerCondition(node: SyntaxNode, at: LoweringContext, lowerBranch = at.lower): Operand {
  const test = truthOf(at.lower(node.condition as SyntaxNode, at), at);
  const then = lowerBranch(node.then as SyntaxNode, branch(at));
  const otherwise = node.else === undefined ? missing : lowerBranch(node.else, branch(at));
  return merged(choose(test, then.ir, otherwise.ir), then, otherwise);
}

/** One of two values. */
function merged(ir: Ir, one: Operand, other: Operand): Operand {
  return {
    ir,
    type: one.type | other.type,
    isInput: isInputOrNoObject(one) && isInputOrNoObject(other),
    isRaw: one.isRaw === true || other.isRaw === true,
    isPlain: isPlain(one) && isPlain(other),
    isLambda: one.isLambda === true && other.isLambda === true,
  };
}

function isInputOrNoObject(operand: Operand): boolean {
  return operand.isInput === true || !mayBe(operand.type, deepType | functionType);
}

export function isPlain(operand: Operand): boolean {
  return operand.isPlain === true || !mayBe(operand.type, deepType | functionType);
}
