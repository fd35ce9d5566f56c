import { customFunctions, plainName } from '../../expression/functions';
import type { SyntaxNode } from '../../expression/syntax';

/**
 * Functions with equal results for equal arguments, and the numbers of arguments with which none is taken from the
 * context.
 */
const argumentCounts: Readonly<Record<string, readonly number[]>> = {
  abs: [1],
  floor: [1],
  ceil: [1],
  round: [1, 2],
  sqrt: [1],
  power: [2],
  max: [1],
  min: [1],
  sum: [1],
  average: [1],
  count: [1],
  length: [1],
  lowercase: [1],
  uppercase: [1],
  trim: [1],
  substring: [3],
  substringBefore: [2],
  substringAfter: [2],
  contains: [2],
  string: [1],
  number: [1],
  boolean: [1],
  not: [1],
  exists: [1],
  toMillis: [1],
};

/** Own functions of this kind never take an argument from the context. */
const ownFunctions: ReadonlySet<string> = new Set(
  customFunctions.filter(({ signature }) => !signature.includes('-')).map(({ name }) => name),
);

/** Types of nodes whose values are functions. */
const functionTypes: ReadonlySet<string> = new Set(['regex', 'lambda', 'partial']);

/** Returns whether a call means the same when its arguments are evaluated elsewhere. */
export function isContextFree(name: string, given: readonly SyntaxNode[]): boolean {
  if (given.some((argument) => functionTypes.has(argument.type))) return false;
  if (ownFunctions.has(plainName(name))) return true;
  return Object.hasOwn(argumentCounts, name) && (argumentCounts[name] ?? []).includes(given.length);
}

/** Functions that cost no more than an operator. */
export const cheapCalls: ReadonlySet<string> = new Set(['abs', 'exists', 'max', 'min', 'not']);
