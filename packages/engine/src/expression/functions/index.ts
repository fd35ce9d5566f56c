import { amountClose } from './amount-close';
import { defaultTimezone } from '../../definition/keys';
import { dayFunctions } from './days';
import type { DayFunctions } from './days';
import { levenshteinSimilarity, jaroWinkler } from './similarity';
import { refuseType } from './failure';
import { containsCode } from './codes';
import { codeOverlap } from './code-overlap';
import { lenientAmount } from './lenient-amount';
import { memoisePairs } from './memo';
import { commonPrefixShare, wordOverlapShare } from './overlap';
import { digitsOf, normalizeText } from './normalize';
import { tokenSetSimilarity } from './token-set';
import { transliterated } from './transliterate';
import { wordCosine } from './word-cosine';

/** A function that expressions can call, in addition to JSONata's own. */
export interface CustomFunction {
  /** The name without `$`. */
  name: string;
  /** JSONata's notation: an argument of another type is its error T0410 (T0411 for the context). */
  signature: string;
  /** Synchronous and pure. A missing argument arrives as undefined. Throws an ExpressionError. */
  implementation: (...args: never[]) => unknown;
}

const utc = dayFunctions(defaultTimezone);

export const customFunctions: readonly CustomFunction[] = [
  { name: 'similarity', signature: '<ss:n>', implementation: ofTwo('similarity', memoisePairs(jaroWinkler)) },
  {
    name: 'levenshtein',
    signature: '<ss:n>',
    implementation: ofTwo('levenshtein', memoisePairs(levenshteinSimilarity)),
  },
  { name: 'tokenSet', signature: '<ss:n>', implementation: ofTwo('tokenSet', memoisePairs(tokenSetSimilarity)) },
  { name: 'commonPrefix', signature: '<ss:n>', implementation: ofTwo('commonPrefix', commonPrefixShare) },
  { name: 'wordOverlap', signature: '<ss:n>', implementation: ofTwo('wordOverlap', wordOverlapShare) },
  { name: 'containsCode', signature: '<(sn)(sn):b>', implementation: containsCode },
  { name: 'wordCosine', signature: '<sss?:n>', implementation: wordCosine },
  { name: 'codeOverlap', signature: '<(sn)(sn):n>', implementation: codeOverlap },
  { name: 'amount', signature: '<(sn):n>', implementation: lenientAmount },
  { name: 'normalize', signature: '<s-:s>', implementation: ofOne('normalize', normalizeText) },
  { name: 'transliterate', signature: '<s-:s>', implementation: ofOne('transliterate', transliterated) },
  { name: 'digits', signature: '<s-:s>', implementation: ofOne('digits', digitsOf) },
  { name: 'daysBetween', signature: '<ss:n>', implementation: utc.daysBetween },
  { name: 'businessDaysBetween', signature: '<ss(aos)?:n>', implementation: utc.businessDaysBetween },
  { name: 'amountClose', signature: '<(ns)(ns)nn?:b>', implementation: amountClose },
];

const separator = ' in ';

/** Names a function in a time zone where it depends on one; no expression can write such a name. */
export function nameIn(name: string, timezone: string): string {
  return timezone !== defaultTimezone && Object.hasOwn(utc, name) ? `${name}${separator}${timezone}` : name;
}

/** Returns the name of a function without its time zone. */
export function plainName(name: string): string {
  return name.split(separator, 1)[0] as string;
}

const functionsOfZones = new Map<string, DayFunctions>();

/** Returns the implementation of a function that is named with its time zone; undefined for any other name. */
export function zonedImplementation(name: string): DayFunctions[keyof DayFunctions] | undefined {
  const [plain = '', timezone] = name.split(separator);
  if (timezone === undefined || !Object.hasOwn(utc, plain)) return undefined;
  const functions = functionsOfZones.get(timezone) ?? dayFunctions(timezone);
  functionsOfZones.set(timezone, functions);
  return functions[plain as keyof DayFunctions];
}

/** The functions of days in a time zone, by the names that they have there. */
export function functionsIn(timezone: string): CustomFunction[] {
  return customFunctions.flatMap((custom) => {
    const name = nameIn(custom.name, timezone);
    const implementation = zonedImplementation(name);
    return implementation === undefined ? [] : [{ ...custom, name, implementation }];
  });
}

/** Each function checks types itself too, because JSONata checks no signature after a partial application. */
function ofOne(name: string, compute: (text: string) => string): (text: unknown) => string | undefined {
  return (text) => {
    if (text === undefined) return undefined;
    return typeof text === 'string' ? compute(text) : refuseType(name, 1);
  };
}

function ofTwo(name: string, compute: (left: string, right: string) => number) {
  return (left: unknown, right: unknown): number | undefined => {
    if (typeof left === 'string' && typeof right === 'string') return compute(left, right);
    if (left !== undefined && typeof left !== 'string') return refuseType(name, 1);
    return right !== undefined && typeof right !== 'string' ? refuseType(name, 2) : undefined;
  };
}
