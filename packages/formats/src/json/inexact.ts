/**
 * Matches a number with too many digits before its point for a double. A digit sequence in a text follows its quote.
 */
const longNumber = /[\s:,[]-?\d{16}/;
/** Matches a string (skipped), a number, or a structural character. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

export interface InexactNumber {
  /** The name of the property that contains the value; null outside an object. */
  column: string | null;
  text: string;
}

/**
 * Finds the first number of a valid JSON text whose integer part parsing would change, such as an account number. Other
 * fractions are read as the nearest double.
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

/** Returns whether a number survives parsing: as the same text, or as the same integer. */
function isKept(text: string): boolean {
  if (!manyDigits.test(text)) return true;
  const plain = text.replace(zerosBehindPoint, '');
  const value = Number(plain);
  return String(value) === plain || (Number.isFinite(value) && !plain.includes('.') && BigInt(plain) === BigInt(value));
}
