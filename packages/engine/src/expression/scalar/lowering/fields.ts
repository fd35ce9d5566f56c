import { assign, call, choose, comma, constant, local, newLocal, operate } from '../ir';
import type { Ir, Local } from '../ir';
import { lastField, lookupRaw, namesBehindField, ownField } from '../runtime/paths';
import { settle } from '../runtime/sequences';
import { anyType, arrayType, dataType, isOnly, mayBe, objectType } from '../value-types';
import { nameValue } from './context';
import type { LoweringContext } from './context';
import { missing } from './operand';
import type { Operand } from './operand';

/** Names that every object inherits: they are fields only where an object has them as own properties. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Replaces every value that has no fields. */
const noFields: object = Object.freeze(Object.create(null) as object);

/** Continues where a value on the path is an array: looks up the remaining names in its items. */
type OverArray = (value: unknown[], names: readonly string[]) => unknown;

/**
 * A path of names. Objects are read directly; where an array is met, the rest of the path goes over its items. What has
 * been read once is not read again.
 */
export function fieldChain(
  base: Operand,
  names: readonly string[],
  overFirst: OverArray,
  at: LoweringContext,
): Operand {
  if (!mayBe(base.type, arrayType | objectType)) return missing;
  const { before, named } = nameValue(at, base);
  return before.length === 0
    ? chainFrom(named, names, overFirst, at)
    : prefixed(before, chainFrom(named, names, overFirst, at));
}

function prefixed(before: readonly Ir[], value: Operand): Operand {
  return { ...value, ir: comma(...before, value.ir) };
}

function chainFrom(base: Operand, names: readonly string[], overFirst: OverArray, at: LoweringContext): Operand {
  const [name = '', ...rest] = names;
  const result: Operand = {
    ir: base.ir,
    type: base.isInput === true ? dataType : anyType,
    isInput: base.isInput === true,
  };
  if (isOnly(base.type, objectType)) {
    const member = knownField(base, name, at);
    if (rest.length === 0) return { ...result, ir: finished(member, base) };
    return prefixedChain(member, rest, namesBehindField, at);
  }
  const key = `${keyOf(base)}>${JSON.stringify(names)}`;
  const known = at.known.get(key);
  if (known !== undefined) return known;
  const value = newLocal(at.scope);
  const object = objectOf(base, at);
  const ir = comma(
    object.before,
    assign(
      value,
      choose(
        operate('isNull', local(object.at)),
        call(overFirst, base.ir, constant(names)),
        restOfChain(local(object.at), [name, ...rest], base, at),
      ),
    ),
  );
  at.known.set(key, { ...result, ir: local(value) });
  return { ...result, ir };
}

function prefixedChain(member: Operand, rest: readonly string[], over: OverArray, at: LoweringContext): Operand {
  const { before, named } = splitNamed(member);
  return prefixed(before, chainFrom(named, rest, over, at));
}

/** A value that is assigned in place: its assignment, and its name. */
function splitNamed(value: Operand): { before: Ir[]; named: Operand } {
  if (value.ir.kind !== 'assign') return { before: [], named: value };
  return { before: [value.ir], named: { ...value, ir: local(value.ir.local) } };
}

/** A field of what is surely an object. It has a name afterwards. */
function knownField(base: Operand, name: string, at: LoweringContext): Operand {
  const key = `${keyOf(base)}.${name}`;
  const known = at.known.get(key);
  if (known !== undefined) return known;
  const made = newLocal(at.scope);
  const value: Operand = {
    ir: local(made),
    type: base.isInput === true ? dataType : anyType,
    isInput: base.isInput === true,
  };
  at.known.set(key, value);
  return { ...value, ir: assign(made, readField(base.ir, name)) };
}

/** Lowers the names after the first one. Their results are not reused, since they may not be evaluated. */
function restOfChain(
  object: Ir,
  [name, ...rest]: readonly [string, ...string[]],
  base: Operand,
  at: LoweringContext,
): Ir {
  const [next, ...others] = rest;
  if (next === undefined) return finished({ ir: readField(object, name), type: anyType }, base);
  const member = newLocal(at.scope);
  const inner = newLocal(at.scope);
  return comma(
    assign(member, readField(object, name)),
    assign(inner, asObject(local(member), anyType)),
    choose(
      operate('isNull', local(inner)),
      call(namesBehindField, local(member), constant(rest)),
      restOfChain(local(inner), [next, ...others], base, at),
    ),
  );
}

function finished(member: Operand, base: Operand): Ir {
  return base.isInput === true ? member.ir : call(lastField, member.ir);
}

/** One name in a context, where no path is around it. */
export function fieldOf(base: Operand, name: string, at: LoweringContext): Operand {
  const isInput = base.isInput === true;
  const result = { type: isInput ? dataType : anyType, isInput };
  if (isOnly(base.type, objectType)) {
    const member = knownField(base, name, at);
    return { ...result, ir: isInput ? member.ir : call(settle, member.ir) };
  }
  const object = objectOf(base, at);
  const member = readField(local(object.at), name);
  return {
    ...result,
    ir: comma(
      object.before,
      choose(
        operate('isNull', local(object.at)),
        call(settle, call(lookupRaw, base.ir, constant(name))),
        isInput ? member : call(settle, member),
      ),
    ),
  };
}

/** The value where it has fields, something without fields where it has none, null where it is an array. */
function objectOf(base: Operand, at: LoweringContext): { before: Ir; at: Local } {
  const key = `${keyOf(base)}:object`;
  const known = at.known.get(key);
  if (known?.ir.kind === 'local') return { before: known.ir, at: known.ir.local };
  const made = newLocal(at.scope);
  at.known.set(key, { ir: local(made), type: anyType });
  return { before: assign(made, asObject(base.ir, base.type)), at: made };
}

function asObject(value: Ir, type: number): Ir {
  const marked = choose(operate('isMarked', value), constant(noFields), value);
  const object = mayBe(type, arrayType) ? choose(operate('isArray', value), constant(null), marked) : marked;
  return choose(
    operate('isOfObjectType', value),
    choose(operate('isNull', value), constant(noFields), object),
    constant(noFields),
  );
}

function readField(object: Ir, name: string): Ir {
  return inherited.has(name) ? call(ownField, object, constant(name)) : operate('field', object, constant(name));
}

function keyOf(base: Operand): string {
  return base.ir.kind === 'local' ? `${base.ir.local.depth}_${base.ir.local.slot}` : '';
}
