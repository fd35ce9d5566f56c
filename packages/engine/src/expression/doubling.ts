/** Tokens after which a `/` divides; after anything else it opens a regular expression. */
const operandEnd = /[\w)\]}"'`$λ]$/;

interface Frame {
  /** Size of the frame's content, without the current operand. */
  settled: number;
  /** Size of the left operand that a following default operator would double. */
  operand: number;
}

/**
 * An estimate of the tree that jsonata's parser builds, in characters. The parser copies the left
 * operand of `?:` and `??`, so each level of brackets around one can double the tree: twenty levels
 * would fill the memory before any limit on the tree could be checked. Strings, quoted names,
 * comments and regular expressions are skipped.
 */
export function doublingSize(source: string): number {
  const frames: Frame[] = [{ settled: 0, operand: 0 }];
  let position = 0;
  while (position < source.length) {
    const length = tokenLength(source, position);
    apply(frames, source.slice(position, position + length), length);
    position += length;
  }
  return frames.reduce((sum, frame) => sum + frame.settled + frame.operand, 0);
}

function apply(frames: Frame[], token: string, length: number): void {
  const frame = frames.at(-1);
  if (frame === undefined) return;
  frame.operand += length;
  if (token === '(' || token === '[' || token === '{') {
    frames.push({ settled: 0, operand: 0 });
  } else if ((token === ')' || token === ']' || token === '}') && frames.length > 1) {
    frames.pop();
    const outer = frames.at(-1);
    if (outer !== undefined) outer.operand += frame.settled + frame.operand;
  } else if (token === '?:' || token === '??') {
    frame.settled += 2 * frame.operand;
    frame.operand = 0;
  } else if (token === ',' || token === ';' || token === ':') {
    frame.settled += frame.operand;
    frame.operand = 0;
  }
}

function tokenLength(source: string, position: number): number {
  const char = source.charAt(position);
  const pair = source.slice(position, position + 2);
  if (char === '"' || char === "'") return quotedLength(source, position, char, true);
  if (char === '`') return quotedLength(source, position, char, false);
  if (pair === '/*') return through(source, position, source.indexOf('*/', position + 2), 2);
  if (char === '/' && opensRegex(source, position)) return quotedLength(source, position, '/', true);
  return pair === '?:' || pair === '??' ? 2 : 1;
}

function quotedLength(source: string, position: number, quote: string, escapes: boolean): number {
  let end = position + 1;
  while (end < source.length && source.charAt(end) !== quote) end += escapes && source.charAt(end) === '\\' ? 2 : 1;
  return Math.min(end + 1, source.length) - position;
}

function through(source: string, position: number, found: number, length: number): number {
  return (found === -1 ? source.length : found + length) - position;
}

function opensRegex(source: string, position: number): boolean {
  const before = source.slice(Math.max(0, position - 64), position).trimEnd();
  return !operandEnd.test(before);
}
