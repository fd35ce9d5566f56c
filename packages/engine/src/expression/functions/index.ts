import { amountClose } from './amount-close';
import { businessDaysBetween } from './business-days';
import { daysBetween } from './days';
import { levenshteinSimilarity } from './edit-distance';
import { memoisePairs } from './memo';
import { digitsOf, normalizeText } from './normalize';
import { jaroWinkler } from './similarity';
import { tokenSetSimilarity } from './token-set';

/** A function that expressions can call, beside JSONata's own. */
export interface CustomFunction {
  /** Without `$`. */
  name: string;
  /** JSONata's notation: an argument of another type is its error T0410 (T0411 for the context). */
  signature: string;
  /** Synchronous and pure. A missing argument arrives as undefined. Throws an ExpressionError. */
  implementation: (...args: never[]) => unknown;
}

export const customFunctions: readonly CustomFunction[] = [
  { name: 'similarity', signature: '<ss:n>', implementation: ofTwo(memoisePairs(jaroWinkler)) },
  { name: 'levenshtein', signature: '<ss:n>', implementation: ofTwo(memoisePairs(levenshteinSimilarity)) },
  { name: 'tokenSet', signature: '<ss:n>', implementation: ofTwo(memoisePairs(tokenSetSimilarity)) },
  { name: 'normalize', signature: '<s-:s>', implementation: ofOne(normalizeText) },
  { name: 'digits', signature: '<s-:s>', implementation: ofOne(digitsOf) },
  { name: 'daysBetween', signature: '<ss:n>', implementation: daysBetween },
  { name: 'businessDaysBetween', signature: '<ss(aos)?:n>', implementation: businessDaysBetween },
  { name: 'amountClose', signature: '<(ns)(ns)nn?:b>', implementation: amountClose },
];

function ofOne(compute: (text: string) => string): (text: string | undefined) => string | undefined {
  return (text) => (text === undefined ? undefined : compute(text));
}

function ofTwo(compute: (left: string, right: string) => number) {
  return (left: string | undefined, right: string | undefined): number | undefined =>
    (left === undefined || right === undefined ? undefined : compute(left, right));
}
