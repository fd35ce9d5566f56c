import { nearNames, type Side } from '@tieout/engine';
import { functionNames } from './functions';
import type { KnownNames } from './language';

/** A name in an expression that stands for nothing, or for nothing that is known. */
export interface UnknownName {
  kind: 'function' | 'field';
  /** The name as it is written, without the side; a function with its `$`. */
  name: string;
  side?: Side;
  /** The known name that is written most alike; null if none is. */
  nearest: string | null;
  /** The place at which the name begins, from 1. */
  position: number;
  length: number;
}

const name = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
/** Comments, texts and patterns come first: what looks like a name in them is none. */
const tokens = new RegExp(
  [
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?`,
    String.raw`(?<=(?:^|[([{,;:=?~><&|+*%!-])\s*)\/(?:[^/\\\n]|\\.)+\/[im]*`,
    String.raw`(?<called>\$[A-Za-z_]\w*)(?=\s*\()|(?<=~>\s*)(?<chained>\$[A-Za-z_]\w*)`,
    String.raw`(?<![\w$.]|\.\s)(?<path>(?<side>left|right)\s*\.\s*)(?:` +
      '`(?<quoted>[^`]*)`' +
      String.raw`|(?<plain>${name}))`,
    String.raw`(?<![\p{L}\p{N}_$]|\.\s*)(?:` + '`(?<ownQuoted>[^`]*)`' + String.raw`|(?<own>${name}))`,
    '`[^`]*`',
    String.raw`(?<opened>[([{])|(?<closed>[)\]}])`,
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

const words = ['and', 'or', 'in', 'true', 'false', 'null', 'function', 'λ'];

/** Returns whether names in a bracket that opens here are those of the value before it, not of the record. */
function isWithinValue(before: string, bracket: string): boolean {
  const text = before.trimEnd();
  return bracket === '(' ? /[.^]$/.test(text) : /[\p{L}\p{N}_$)\]}"'`]$/u.test(text);
}

/**
 * Finds functions that there are not, and fields that a side is not known to have.
 * A side of which no name is known has every field.
 *
 * @param of what the expression reads: a pair, as `left` and `right`, or a record of one side, whose names may stand
 *   alone
 */
export function unknownNames(text: string, known: KnownNames, of: 'pair' | Side = 'pair'): UnknownName[] {
  const bound = boundIn(text);
  const found: UnknownName[] = [];
  const within: boolean[] = [];
  // A transformation has names of what it changes.
  const readsAlone = of !== 'pair' && !/~>\s*\|/.test(text);
  const look = (side: Side, field: string, position: number, length: number): void => {
    const names = known[side];
    if (names.length === 0 || names.includes(field)) return;
    found.push({ kind: 'field', name: field, side, nearest: nearNames(field, names)[0] ?? null, position, length });
  };
  for (const { index, 0: token, groups = {} } of text.matchAll(tokens)) {
    const { called, chained, path, side, quoted, plain, ownQuoted, own, opened, closed } = groups;
    const call = called ?? chained;
    const field = quoted ?? plain;
    const alone = ownQuoted ?? own;
    if (call !== undefined) {
      if (bound.has(call) || functionNames.includes(call)) continue;
      const nearest = nearNames(call, functionNames)[0] ?? null;
      found.push({ kind: 'function', name: call, nearest, position: index + 1, length: call.length });
    } else if ((side === 'left' || side === 'right') && field !== undefined && path !== undefined) {
      look(side, field, index + path.length + 1, token.length - path.length);
    } else if (of !== 'pair' && readsAlone && alone !== undefined && !words.includes(own ?? '')) {
      if (own !== of && !within.includes(true)) look(of, alone, index + 1, token.length);
    } else if (opened !== undefined) within.push(isWithinValue(text.slice(0, index), opened));
    else if (closed !== undefined) within.pop();
  }
  return found;
}

/** Returns the name at which a path begins, with the nearest that there is, if no field has it; null if one has. */
export function unknownIn(path: string, known: readonly string[]): Pick<UnknownName, 'name' | 'nearest'> | null {
  const name = /^[^.[]*/.exec(path)?.[0].replaceAll('`', '').trim() ?? '';
  if (name === '' || known.length === 0 || known.includes(path) || known.includes(name)) return null;
  return { name, nearest: nearNames(name, known)[0] ?? null };
}
