/** Max characters of a value that a message shows, and max parts of the value that are visited for it. */
const maxValueLength = 200;
const maxParts = 50;

/** A message that an expression gives its error itself may be longer. */
const maxTextLength = 1000;

/** Formats a value as JSON, or a placeholder where that would be long. */
export function shown(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(cut(value, maxValueLength));
  if (typeof value !== 'object' || value === null || isSmall(value)) return JSON.stringify(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

export function told(text: unknown): string {
  return cut(String(text), maxTextLength);
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Values that share parts can be endless to visit, and functions refer to their whole environment. */
function isSmall(value: object): boolean {
  const open: unknown[] = [value];
  let length = 0;
  for (let parts = 0; open.length > 0; parts++) {
    if (parts >= maxParts || length > maxValueLength) return false;
    const next = open.pop();
    if (typeof next === 'string') length += next.length;
    if (typeof next !== 'object' || next === null) continue;
    const keys = Object.keys(next);
    if (keys.length > maxParts || '_jsonata_lambda' in next || '_jsonata_function' in next) return false;
    for (const key of keys) {
      if (!Array.isArray(next)) length += key.length;
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return length <= maxValueLength;
}
