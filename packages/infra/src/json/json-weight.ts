export const openBrace = 0x7b;
const openBracket = 0x5b;

/** How often a byte occurs. */
export function countByte(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

/** Objects and arrays of a JSON text, and no fewer: what looks like one in a string counts too. */
export const countNestedValues = (json: Buffer): number => countByte(json, openBrace) + countByte(json, openBracket);

/** What a JSON text takes once it is parsed, of its weight. Short strings, and names that occur once, take the most. */
export const bytesPerWeight = 8;
/** An object or array takes 64 bytes, many times its text. */
const weightOfNestedValue = 8;
/** An object whose names are numbers keeps its values as an array does, with room for more: {"20":0} takes 250 bytes. */
const weightOfNumberedNames = 16;

/** Bytes of text without objects and arrays that take as much once they are parsed. */
export function jsonWeight(json: Buffer, nested = countNestedValues(json)): number {
  return json.length + nested * weightOfNestedValue + numberedIn(json) * weightOfNumberedNames;
}

const quote = 0x22;
const zero = 0x30;
const nine = 0x39;

/** Objects whose first name begins with a digit. */
function numberedIn(json: Buffer): number {
  let count = 0;
  for (let at = json.indexOf(openBrace); at !== -1; at = json.indexOf(openBrace, at + 1)) {
    const first = json[at + 2] ?? 0;
    if (json[at + 1] === quote && first >= zero && first <= nine) count++;
  }
  return count;
}
