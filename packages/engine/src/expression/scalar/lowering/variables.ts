import type { SyntaxNode } from '../../syntax';
import { call, constant } from '../ir';
import { findNative, nativeValue } from '../runtime/natives';
import { contextValue } from '../runtime/input';
import { arrayType, functionType, mayBe, objectType } from '../value-types';
import type { LoweringContext } from './context';
import { missing } from './operand';
import type { Operand } from './operand';
import { findVariable } from './scope';
import { unsupported } from './unsupported';

/** Belong to one evaluation of jsonata's, or are refused. */
const reserved: ReadonlySet<string> = new Set(['now', 'millis', 'eval', 'clone']);

export function lowerVariable(node: SyntaxNode, at: LoweringContext): Operand {
  const name = String(node.value);
  if (name === '') return contextOf(at);
  if (name === '$') return at.root;
  const nativeName = findNativeName(name, at);
  if (nativeName !== null) return { ir: constant(nativeValue(nativeName)), type: functionType, nativeName };
  return findVariable(at.variables, name, at.scope.depth, findNative(name) !== undefined) ?? missing;
}

/** The context itself. An array that is the input is wrapped. */
function contextOf(at: LoweringContext): Operand {
  if (!mayBe(at.value.type, arrayType | objectType) || at.value === at.root) return at.value;
  return { ...at.value, ir: call(contextValue, at.value.ir), isRaw: true };
}

/** Finds the jsonata function that a name refers to, unless a variable has that name. */
export function findNativeName(name: string, at: LoweringContext): string | null {
  const isReserved = reserved.has(name);
  const isNative = isReserved || findNative(name) !== undefined;
  if (!isNative || findVariable(at.variables, name, at.scope.depth, true) !== null) return null;
  return isReserved ? unsupported(`$${name}`) : name;
}
