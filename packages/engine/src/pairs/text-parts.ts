/** Longer texts have everything that a shorter one has. */
const maxFilteredLength = 256;
const allTrigrams = -1;

/**
 * A bit for each three characters in a row, some of which share one. A text has all bits of what it contains: where one is missing it need
 * not be searched, nor looked up in memory.
 */
export function partsOf(text: string): number {
  if (text.length > maxFilteredLength) return allTrigrams;
  let bits = 0;
  let three = (text.charCodeAt(0) << 8) ^ text.charCodeAt(1);
  for (let index = 2; index < text.length; index++) {
    three = ((three << 8) ^ text.charCodeAt(index)) & 0xffffff;
    bits |= 1 << (Math.imul(three, 0x9e3779b1) >>> 27);
  }
  return bits;
}
