import type { SyntaxNode } from '../../syntax';
import { both, call, choose, constant, operate } from '../ir';
import type { Ir } from '../ir';
import type { Operation } from '../operations';
import { countOf, filterItems, mapItems, reduceItems, sortItems, sumOf, tryNumbers } from '../runtime/collections';
import { isoMillis, trimText } from '../runtime/fast';
import { refuseMarkedData } from '../runtime/functions';
import { located } from '../../fault';
import { tick } from '../../limits/meter';
import { matchesBy } from '../runtime/matcher';
import { isTruthy, toBoolean } from '../runtime/operators';
import { append } from '../runtime/sequences';
import { containsText, lowerCase, sameInLowerCase, sameInUpperCase, upperCase } from '../runtime/text';
import type { SameInOneCase } from '../runtime/text';
import {
  anyType,
  arrayType,
  booleanType,
  functionType,
  isOnly,
  mayBe,
  numberType,
  objectType,
  stringType,
  undefinedType,
} from '../value-types';
import type { ValueType } from '../value-types';
import type { LoweringContext } from './context';
import { isMissingPossible, withNames } from './operand';
import type { Operand } from './operand';
import { isOfType } from './operators';

export interface Inlined {
  (args: readonly Operand[], slow: Inlined['slow'], at: LoweringContext, node: SyntaxNode): Operand | null;
  /** The call with its signature checked. */
  slow: (...values: Operand[]) => Ir;
}

type Inline = (
  args: readonly Operand[],
  slow: Inlined['slow'],
  at: LoweringContext,
  node: SyntaxNode,
) => Operand | null;

/** The operations that replace calls where the types are right, by name and number of arguments. */
export const inlined: ReadonlyMap<string, Inline> = new Map<string, Inline>([
  ['abs/1', ofNumber('absolute')],
  ['floor/1', ofNumber('floor')],
  ['ceil/1', ofNumber('ceiling')],
  ['lowercase/1', inOneCase(lowerCase, sameInLowerCase)],
  ['uppercase/1', inOneCase(upperCase, sameInUpperCase)],
  ['trim/1', ofText((text) => call(trimText, text), stringType)],
  ['string/1', ofText((text) => text, stringType)],
  ['number/1', guarded(numberType, 'isNumber', (value) => value, numberType)],
  [
    'toMillis/1',
    (args, slow, at, node) =>
      ofText((text) => call(located(isoMillis, node, 'toMillis'), text), numberType)(args, slow, at, node),
  ],
  ['contains/2', contains],
  ['match/2', matched],
  ['exists/1', ([value]) => (value === undefined ? null : { ir: isPresent(value), type: booleanType })],
  ['boolean/1', ([value]) => (value === undefined ? null : asBoolean(value))],
  ['not/1', negation],
  ['count/1', ([value]) => (value === undefined ? null : { ir: call(countOf, argument(value)), type: numberType })],
  ['sum/1', overNumbers(sumOf)],
  ['append/2', appended],
  ['map/2', withCallback('map', mapItems)],
  ['filter/2', withCallback('filter', filterItems)],
  ['sort/2', withCallback('sort', sortItems)],
  ['reduce/2', withCallback('reduce', reduceItems)],
]);

function guarded(kind: ValueType, test: Operation, build: (value: Ir) => Ir, result: ValueType): Inline {
  return ([value], slow, at) => {
    if (value === undefined || !mayBe(value.type, kind)) return null;
    const ir = withNames(at.scope, [value], (named) =>
      choose(isOfType(named, kind, test), build(named.ir), slow(named)),
    );
    return { ir, type: isOnly(value.type, kind) ? result : result | undefinedType };
  };
}

function ofNumber(operation: Operation): Inline {
  return guarded(numberType, 'isNumber', (value) => operate(operation, value), numberType);
}

function ofText(build: (text: Ir) => Ir, result: ValueType): Inline {
  return guarded(stringType, 'isString', build, result);
}

function inOneCase(convert: (text: string) => string, same: SameInOneCase): Inline {
  const convertText = ofText((text) => call(convert, text), stringType);
  const keepText = ofText((text) => text, stringType);
  return (args, slow, at, node) => {
    const converted = convertText(args, slow, at, node);
    const kept = keepText(args, slow, at, node);
    return converted && kept && { ...converted, cased: { of: converted.ir, text: kept.ir, same } };
  };
}

function contains(args: readonly Operand[], slow: Inlined['slow'], at: LoweringContext): Operand | null {
  const [text, part] = args as [Operand, Operand];
  const { regex } = part;
  if (regex === undefined && mayBe(part.type, stringType) && mayBe(text.type, stringType)) {
    const ir = withNames(at.scope, [text, part], (whole, piece) =>
      choose(
        both(isOfType(whole, stringType, 'isString'), isOfType(piece, stringType, 'isString')),
        call(containsText, whole.ir, piece.ir),
        slow(whole, piece),
      ),
    );
    return { ir, type: booleanType | undefinedType };
  }
  if (regex === undefined || !mayBe(text.type, stringType)) return null;
  const test = (value: string): boolean => regex.regex.test(value, tick);
  const ir = withNames(at.scope, [text], (value) =>
    choose(isOfType(value, stringType, 'isString'), call(test, value.ir), slow(value, part)),
  );
  return { ir, type: booleanType | undefinedType };
}

/** `$match` by a regular expression in the source: the signature has nothing to say about it. */
function matched(
  args: readonly Operand[],
  slow: Inlined['slow'],
  at: LoweringContext,
  node: SyntaxNode,
): Operand | null {
  const [text, pattern] = args as [Operand, Operand];
  if (pattern.regex === undefined) return null;
  const run = located(matchesBy(pattern.regex), node, 'match');
  const found = ofText((value) => call(run, value), anyType);
  const matches = found([text], (value) => slow(value, pattern), at, node);
  return matches && { ...matches, isRaw: true };
}

/** Returns an argument whose type no guard checks. */
function argument(value: Operand): Ir {
  return mayBe(value.type, objectType) ? call(refuseMarkedData, value.ir) : value.ir;
}

function isPresent(value: Operand): Ir {
  return operate('isDefined', argument(value));
}

function asBoolean(value: Operand): Operand {
  if (isOnly(value.type, booleanType | undefinedType)) return value;
  return {
    ir: call(toBoolean, argument(value)),
    type: mayBe(value.type, undefinedType | arrayType) ? booleanType | undefinedType : booleanType,
  };
}

function negation(args: readonly Operand[], _slow: Inlined['slow'], at: LoweringContext): Operand | null {
  const [value] = args as [Operand];
  if (isOnly(value.type, booleanType)) return { ir: operate('not', value.ir), type: booleanType };
  const falseOf = (named: Operand): Ir => operate('not', call(isTruthy, argument(named)));
  if (!isMissingPossible(value)) return { ir: falseOf(value), type: booleanType };
  const ir = withNames(at.scope, [value], (named) =>
    choose(operate('isUndefined', named.ir), constant(undefined), falseOf(named)),
  );
  return { ir, type: booleanType | undefinedType };
}

/** A function of numbers, given as an array or as one number. Null: the signature has to check the argument. */
function overNumbers(compute: (numbers: readonly number[]) => number): Inline {
  const fast = (value: unknown): number | null => tryNumbers(value, compute);
  return ([value], slow, at) => {
    if (value === undefined) return null;
    const ir = withNames(at.scope, [value], (named) => fastOrSlow(call(fast, named.ir), slow(named), at));
    return { ir, type: numberType | undefinedType };
  };
}

function fastOrSlow(fast: Ir, slow: Ir, at: LoweringContext): Ir {
  return withNames(at.scope, [{ ir: fast, type: anyType }], (result) =>
    choose(operate('isNull', result.ir), slow, result.ir),
  );
}

function appended(args: readonly Operand[]): Operand {
  const [first, second] = args as [Operand, Operand];
  return {
    ir: call(append, argument(first), argument(second)),
    type: first.type | second.type | anyType,
    isInput: first.isInput === true && second.isInput === true,
    isRaw: true,
  };
}

type Loop = (value: unknown, callback: unknown) => unknown;

/** `$map`, `$filter` and their like with a lambda written in place: the signature has nothing to say. */
function withCallback(name: string, loop: Loop): Inline {
  return (args, _slow, _at, node) => {
    const [value, target] = args as [Operand, Operand];
    if (!isOnly(target.type, functionType)) return null;
    return { ir: call(located(loop, node, name), argument(value), target.ir), type: anyType, isRaw: true };
  };
}
