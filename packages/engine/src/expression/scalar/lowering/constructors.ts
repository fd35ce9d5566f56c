import type { Group, SyntaxNode } from '../../syntax';
import { array, assign, call, comma, constant, local, newLocal, object } from '../ir';
import type { Ir } from '../ir';
import { addMember, group } from '../runtime/groups';
import type { GroupPair } from '../runtime/groups';
import { tick } from '../../limits/meter';
import { addConstructed, appendItem, markConstructed } from '../runtime/sequences';
import { arrayType, mayBe, objectType, undefinedType } from '../value-types';
import { itemFunction } from './context';
import type { LoweringContext } from './context';
import type { Operand } from './operand';
import { isPlain } from './operators';

/** `[…]`: arrays among the items are flattened by one level, unless they are constructors themselves. */
export function lowerArray(node: SyntaxNode, at: LoweringContext): Operand {
  const nodes = node.expressions ?? [];
  const items = nodes.map((item) => at.lower(item, at));
  const made = items.every((item) => !mayBe(item.type, arrayType | undefinedType))
    ? array(items.map((item) => item.ir))
    : appended(nodes, items, at);
  return {
    ir: charged(node.consarray === true ? call(markConstructed, made) : made, items.length, at),
    type: arrayType,
    isPlain: items.every((item) => isPlain(item)),
  };
}

/** The cost of an object or an array, and of each of its members. */
const stepsPerValue = 16;
const stepsPerMember = 4;

/** Charges for what a function of the expression makes: it may be called very often. */
function charged(value: Ir, members: number, at: LoweringContext): Ir {
  return at.scope.depth === 0 ? value : comma(call(tick, constant(stepsPerValue + stepsPerMember * members)), value);
}

function appended(nodes: readonly SyntaxNode[], items: readonly Operand[], at: LoweringContext): Ir {
  const made = newLocal(at.scope);
  const additions = items.map((item, index) => {
    const add = nodes[index]?.value === '[' ? addConstructed : appendItem;
    return call(add, local(made), item.ir);
  });
  return comma(assign(made, array([])), ...additions, local(made));
}

/** Keys that jsonata or JavaScript treats specially. */
const special: ReadonlySet<string> = new Set(['__proto__', '_jsonata_lambda', '_jsonata_function', 'toJSON', 'then']);

export function lowerObject(node: SyntaxNode, at: LoweringContext): Operand {
  const pairs = node.lhs as [SyntaxNode, SyntaxNode][];
  const keys = literalKeys(pairs);
  if (keys === null || mayBe(at.value.type, arrayType)) return lowerGroup({ lhs: pairs }, at.value, at);
  const values = pairs.map(([, value]) => at.lower(value, at));
  return { ir: charged(objectOf(keys, values, at), keys.length, at), type: objectType, isPlain: values.every(isPlain) };
}

function objectOf(keys: readonly string[], values: readonly Operand[], at: LoweringContext): Ir {
  if (values.every((value) => !mayBe(value.type, undefinedType))) {
    return object(
      keys,
      values.map((value) => value.ir),
    );
  }
  const made = newLocal(at.scope);
  const members = values.map((value, index) => call(addMember, local(made), constant(keys[index]), value.ir));
  return comma(assign(made, object([], [])), ...members, local(made));
}

function literalKeys(pairs: readonly (readonly [SyntaxNode, SyntaxNode])[]): string[] | null {
  const keys = pairs
    .map(([key]) => key)
    .filter(isPlainLiteral)
    .map((key) => String(key.value));
  const usable =
    keys.length === pairs.length && new Set(keys).size === keys.length && !keys.some((key) => special.has(key));
  return usable ? keys : null;
}

function isPlainLiteral(node: SyntaxNode): boolean {
  return node.type === 'string' && node.predicate === undefined && node.group === undefined;
}

/** `{…}` over items: those that give the same key are put together. */
export function lowerGroup(grouping: Group, items: Operand, at: LoweringContext): Operand {
  const isInput = items.isInput === true;
  const pairs = grouping.lhs.map(([key, value]) =>
    call(
      groupPair,
      itemFunction(at, isInput, (inside) => inside.lower(key, inside).ir),
      itemFunction(at, isInput, (inside) => inside.lower(value, inside).ir),
    ),
  );
  return { ir: call(group, items.ir, array(pairs)), type: objectType };
}

function groupPair(key: GroupPair['key'], value: GroupPair['value']): GroupPair {
  return { key, value };
}
