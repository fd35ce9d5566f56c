import type { LinearRegex } from '../../regex';
import { fail } from './fault';
import { tick } from './meter';
import type { FunctionValue } from './values';

interface Found {
  match: string;
  start: number;
  end: number;
  groups: (string | undefined)[];
  next: () => Found | undefined;
}

/** What a match costs beside the text it looks at. */
const STEPS_A_MATCH = 40;

/** A regular expression as jsonata's functions take it. */
export function matcher(regex: LinearRegex, position: number | undefined): FunctionValue {
  const match = (text: string, from: number): Found | undefined => {
    tick(STEPS_A_MATCH);
    const found = regex.exec(text, from, tick);
    if (found === null) return undefined;
    const { match: matched, start, end, groups } = found;
    return { match: matched, start, end, groups, next: () => (end >= text.length ? undefined : nextMatch(text, end)) };
  };
  const nextMatch = (text: string, from: number): Found | undefined => {
    const found = match(text, from);
    return found?.match === '' ? fail({ code: 'D1004', position, value: regex.source }) : found;
  };
  return Object.assign((...args: unknown[]) => match(args[0] as string, (args[1] as number | undefined) ?? 0), { arity: 2 });
}
