export const openBrace = 0x7b;
const openBracket = 0x5b;

/** Counts the occurrences of a byte. */
export function countByte(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

/** Counts the objects and arrays of a JSON text; braces and brackets in strings count too. */
export const countNestedValues = (json: Buffer): number => countByte(json, openBrace) + countByte(json, openBracket);

/**
 * The most memory that a parsed JSON text takes per unit of weight, as with short strings and names that occur once.
 */
export const bytesPerWeight = 8;
/** An object or array takes 64 bytes, many times its text. */
const weightOfNestedValue = 8;
/**
 * An object whose names are numbers keeps its values as an array does, with room for more: {"20":0} takes 250 bytes.
 */
const weightOfNumberedNames = 16;

/** Weighs a JSON text: gives the bytes of text without objects and arrays that take as much memory when parsed. */
export function jsonWeight(json: Buffer, nested = countNestedValues(json)): number {
  return json.length + nested * weightOfNestedValue + countNumbered(json) * weightOfNumberedNames;
}

const quote = 0x22;
const zero = 0x30;
const nine = 0x39;

/** Counts objects whose first name begins with a digit. */
function countNumbered(json: Buffer): number {
  let count = 0;
  for (let at = json.indexOf(openBrace); at !== -1; at = json.indexOf(openBrace, at + 1)) {
    const first = json[at + 2] ?? 0;
    if (json[at + 1] === quote && first >= zero && first <= nine) count++;
  }
  return count;
}
