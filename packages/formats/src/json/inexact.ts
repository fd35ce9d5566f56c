/** A number of so many digits before its point that a double may not hold it; before the digits of a text is its quote. */
const longNumber = /[\s:,[]-?\d{16}/;
/** A string, passed over, a number, or what tells where they stand. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

export interface InexactNumber {
  /** Name of the value that it is, or is in; null outside of an object. */
  column: string | null;
  text: string;
}

/**
 * The first number of a valid JSON text that parsing would change before its point, or behind that where it is as long: a
 * number of an account, an amount of quadrillions. Other fractions are taken as the nearest double.
 */
export function findInexactNumber(json: string): InexactNumber | null {
  if (!longNumber.test(json)) return null;
  let depth = 0;
  let column: string | null = null;
  let last = '';
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':') column = depth === 1 ? (JSON.parse(last) as string) : column;
    else if (token.startsWith('"')) last = token;
    else if (!isKept(token)) return { column, text: token };
  }
  return null;
}

const manyDigits = /^-?\d{16,}(?:\.\d+)?$/;
const zerosBehindPoint = /\.0+$|(?<=\.\d*[1-9])0+$/;

/** It comes back as the same text, or is that very integer. */
function isKept(text: string): boolean {
  if (!manyDigits.test(text)) return true;
  const plain = text.replace(zerosBehindPoint, '');
  const value = Number(plain);
  return String(value) === plain || (Number.isFinite(value) && !plain.includes('.') && BigInt(plain) === BigInt(value));
}
