import { createRegex } from './linear-regex';
import type { LinearRegex } from './linear-regex';

/** What jsonata reads of a match that RegExp gives. */
type EngineMatch = (string | undefined)[] & { index: number };

/**
 * A stand-in for RegExp in jsonata's option `RegexEngine`: it is made anew from the parsed RegExp whenever the expression
 * meets the literal, and keeps `lastIndex` as a RegExp with the flag g does.
 */
export class LinearRegexEngine {
  lastIndex = 0;
  private readonly regex: LinearRegex;

  constructor(literal: RegExp) {
    this.regex = linearOf(literal);
  }

  exec(value: unknown): EngineMatch | null {
    const text = String(value);
    const found = this.lastIndex > text.length ? null : this.regex.exec(text, this.lastIndex);
    this.lastIndex = found === null ? 0 : found.end;
    return found === null ? null : Object.assign([found.match, ...found.groups], { index: found.start });
  }
}

/** Prepared regular expressions live as long as the literals of their syntax trees. */
const prepared = new WeakMap<RegExp, LinearRegex>();

/** The linear form of a literal in a syntax tree, prepared once. Throws as `createRegex` does. */
export function linearOf(literal: RegExp, position?: number): LinearRegex {
  const known = prepared.get(literal);
  if (known !== undefined) return known;
  const regex = createRegex(literal.source, literal.flags, position);
  prepared.set(literal, regex);
  return regex;
}
