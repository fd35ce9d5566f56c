import { toLength } from '../../regex';
import type { LinearRegex } from '../../regex';
import { fail, giveUp } from '../../fault';
import { tick, tickMade } from '../../limits/meter';
import { costOfNative } from './metered';
import { addItem, emptySequence } from './sequences';
import type { FunctionValue, MarkedArray } from './values';

/** A regular expression in the source of an expression. */
export interface RegexLiteral {
  regex: LinearRegex;
  position: number | undefined;
}

interface Found {
  match: string;
  start: number;
  end: number;
  groups: (string | undefined)[];
  next: () => Found | undefined;
}

/** The cost of a match in addition to the text it reads. */
const stepsPerMatch = 40;

/** A regular expression as jsonata's functions take it. Expressions call it too, with anything. */
export function matcher({ regex, position }: RegexLiteral): FunctionValue {
  const match = (value: unknown, from: number): Found | undefined => {
    tick(stepsPerMatch);
    const text = typeof value === 'string' ? value : String(scalar(value));
    const found = from > text.length ? null : regex.exec(text, from, tick);
    if (found === null) return undefined;
    const { match: matched, start, end, groups } = found;
    return { match: matched, start, end, groups, next: () => nextMatch(value, end) };
  };
  const nextMatch = (value: unknown, from: number): Found | undefined => {
    // jsonata also reads the length of a value that is not text.
    if (typeof value !== 'string') return giveUp();
    if (from >= value.length) return undefined;
    const found = match(value, from);
    return found?.match === '' ? fail({ code: 'D1004', position, value: regex.source }) : found;
  };
  return Object.assign((...args: unknown[]) => match(args[0], args[1] ? toLength(scalar(args[1])) : 0), { arity: 2 });
}

const stepsPerCall = costOfNative('match').steps;

/** Returns `$match` of a text and a regular expression, at the same cost as the function has by itself. */
export function matchesBy({ regex, position }: RegexLiteral): (text: string) => MarkedArray {
  return (text) => {
    tick(stepsPerCall);
    const matches = emptySequence();
    let from = 0;
    do {
      tick(stepsPerMatch);
      const found = regex.exec(text, from, tick);
      if (found === null) break;
      const { match, start, end, groups } = found;
      if (match === '' && matches.length > 0) fail({ code: 'D1004', position, value: regex.source });
      addItem(matches, { match, index: start, groups });
      from = end;
    } while (from < text.length);
    tickMade(matches);
    return matches;
  };
}

/** RegExp takes any value; what it makes of an array or object depends on how jsonata represents it. */
function scalar(value: unknown): unknown {
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? giveUp() : value;
}
