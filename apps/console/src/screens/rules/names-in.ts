import { functionNames } from './functions';
import type { KnownNames } from './language';

/** A name in an expression that stands for nothing, or for nothing that is known. */
export interface UnknownName {
  kind: 'function' | 'field';
  /** The name as it is written, without the side; a function with its `$`. */
  name: string;
  side?: 'left' | 'right';
  /** The known name that is written most alike; null if none is. */
  nearest: string | null;
  /** The place at which the name begins, from 1. */
  position: number;
  length: number;
}

const name = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
/** Comments, texts and patterns come first: what looks like a name in them is none. */
const token = new RegExp(
  [
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?`,
    String.raw`(?<=(?:^|[([{,;:=?~><&|+*%!-])\s*)\/(?:[^/\\\n]|\\.)+\/[im]*`,
    String.raw`(?<called>\$[A-Za-z_]\w*)(?=\s*\()|(?<=~>\s*)(?<chained>\$[A-Za-z_]\w*)`,
    String.raw`(?<![\w$.]|\.\s)(?<path>(?<side>left|right)\s*\.\s*)(?:` +
      '`(?<quoted>[^`]*)`' +
      String.raw`|(?<plain>${name}))`,
    '`[^`]*`',
  ].join('|'),
  'gu',
);

/** Names that an expression binds itself: `$f := …`, arguments of its functions, `@$x` and `#$i`. */
const bindings = [/(\$\w+)\s*:=/g, /[@#]\s*(\$\w+)/g] as const;
const argumentsOf = /(?:\bfunction|λ)\s*\(([^)]*)\)/g;

function boundIn(text: string): Set<string> {
  const found = bindings.flatMap((pattern) => [...text.matchAll(pattern)].map(([, bound = '']) => bound));
  const given = [...text.matchAll(argumentsOf)].flatMap(([, list = '']) => list.match(/\$\w+/g) ?? []);
  return new Set([...found, ...given]);
}

/**
 * Finds functions that there are not, and fields that a side is not known to have, in an expression over a pair.
 * A side of which no name is known has every field.
 */
export function unknownNames(text: string, known: KnownNames): UnknownName[] {
  const bound = boundIn(text);
  const found: UnknownName[] = [];
  for (const { index, groups = {} } of text.matchAll(token)) {
    const { called, chained, path, side, quoted, plain } = groups;
    const call = called ?? chained;
    const field = quoted ?? plain;
    if (call !== undefined) {
      if (bound.has(call) || functionNames.includes(call)) continue;
      const nearest = nearestOf(call, functionNames);
      found.push({ kind: 'function', name: call, nearest, position: index + 1, length: call.length });
    } else if ((side === 'left' || side === 'right') && field !== undefined && path !== undefined) {
      const names = known[side];
      if (names.length === 0 || names.includes(field)) continue;
      const length = field.length + (quoted === undefined ? 0 : 2);
      const position = index + path.length + 1;
      found.push({ kind: 'field', name: field, side, nearest: nearestOf(field, names), position, length });
    }
  }
  return found;
}

/** The name that takes fewest edits, if these are less than half of its characters. */
export function nearestOf(text: string, names: readonly string[]): string | null {
  const [first] = names
    .map((one) => ({ one, edits: editsBetween(text.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return first !== undefined && first.edits * 2 < text.length ? first.one : null;
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
