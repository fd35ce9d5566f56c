import type { FieldError } from '../kernel/errors';

/** Limits the levels of nesting below the outermost object. */
const maxDepth = 64;

/** Returns a key or index as one segment of a JSON pointer. */
export const pointerTo = (segment: string | number): string =>
  `/${String(segment).replace(/~/g, '~0').replace(/\//g, '~1')}`;

/** PostgreSQL writes numbers without exponents, 1e308 with 309 digits: a record could grow fiftyfold. */
const maxWrittenDigits = 1_000_000;
/** True for a number that JSON writes with an exponent. */
const hasExponent = (size: number): boolean => size >= 1e21 || (size < 1e-6 && size > 0);

/**
 * Finds the first part of a value that the service could not store and return unchanged: NUL and half surrogate pairs
 * (PostgreSQL accepts neither), numbers that exceed a double or grow too much, nesting deeper than readers recurse, and
 * values that JSON lacks.
 */
export const findUnstorable = (value: unknown): FieldError | undefined =>
  findFault(value, 0, { digits: maxWrittenDigits });

function findFault(value: unknown, depth: number, left: { digits: number }): FieldError | undefined {
  if (typeof value === 'string') return findInText(value, '');
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { path: '', code: 'number_out_of_range', message: 'is too large for a number' };
    const size = Math.abs(value);
    if (!hasExponent(size)) return undefined;
    left.digits -= Math.abs(Math.log10(size));
    if (left.digits >= 0) return undefined;
    return {
      path: '',
      code: 'numbers_too_long',
      message:
        `and the numbers before it have more than ${maxWrittenDigits} digits without exponents: ` +
        'send them as texts',
    };
  }
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value !== 'object') return { path: '', code: 'not_json', message: 'is not a JSON value' };
  if (depth > maxDepth)
    return { path: '', code: 'nesting_too_deep', message: `is nested deeper than ${maxDepth} levels` };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = findFault(value[i], depth + 1, left);
      if (fault) return within(i, fault);
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const inKey = findInText(key, '');
    if (inKey) return inKey;
    const fault = findFault((value as Record<string, unknown>)[key], depth + 1, left);
    if (fault) return within(key, fault);
  }
  return undefined;
}

/** Matches digits that a double may not hold exactly. Most texts have none and cost only this search. */
const manyDigits = /\d{16}/;
/** Matches a string, which is skipped, or a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Finds the first integer of a valid JSON text that parsing would silently change, such as an account number of 20
 * digits. Fractions become the nearest double, as everywhere.
 */
export function findInexactInteger(json: string): string | undefined {
  if (!manyDigits.test(json)) return undefined;
  for (const [token] of json.matchAll(stringOrNumber)) {
    if (token.length > 15 && /^-?\d+$/.test(token) && !isExact(token)) return token;
  }
  return undefined;
}

/** True when the number is written as the same text, or has exactly this value. */
function isExact(digits: string): boolean {
  const value = Number(digits);
  return String(value) === digits || (Number.isFinite(value) && BigInt(digits) === BigInt(value));
}

export const inexactInteger = (digits: string): { code: string; message: string } => ({
  code: 'number_not_exact',
  message: `holds the number ${digits.slice(0, 40)}, which cannot be kept exactly: send it as a text`,
});

const within = (segment: string | number, fault: FieldError): FieldError => ({
  ...fault,
  path: pointerTo(segment) + fault.path,
});

/** With the u flag, a complete pair is one character of another category. */
const loneSurrogate = /\p{Surrogate}/u;

export function findInText(text: string, path: string): FieldError | undefined {
  if (text.includes('\0')) return { path, code: 'nul_character', message: 'must not hold NUL characters' };
  if (loneSurrogate.test(text)) return { path, code: 'invalid_text', message: 'holds half of a surrogate pair' };
  return undefined;
}
