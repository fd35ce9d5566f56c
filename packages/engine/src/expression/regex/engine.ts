import { checkJson } from '../limits/bounds';
import { createRegex } from './linear-regex';
import type { LinearRegex, RegexMatch } from './linear-regex';

/** The parts of a RegExp match that jsonata reads. */
type EngineMatch = (string | undefined)[] & { index: number };

/**
 * Replaces RegExp in jsonata's option `RegexEngine`. jsonata constructs it from the parsed RegExp at each evaluation of
 * the literal. It keeps `lastIndex` like a RegExp with the flag g.
 */
export class LinearRegexEngine {
  lastIndex = 0;
  private readonly regex: LinearRegex;

  private readonly isGlobal: boolean;

  /** A literal that jsonata's parser has copied is an empty object: RegExp reads its text, `[object Object]`. */
  constructor(literal: RegExp | object) {
    this.isGlobal = literal instanceof RegExp;
    this.regex = linearOf(literal instanceof RegExp ? literal : copiedLiteral);
  }

  exec(value: unknown): EngineMatch | null {
    // Arrays that share parts are as texts far larger than they are.
    if (Array.isArray(value)) checkJson(value);
    const text = String(value);
    if (!this.isGlobal) return engineMatch(this.regex.exec(text, 0));
    const from = toLength(this.lastIndex);
    const found = from > text.length ? null : this.regex.exec(text, from);
    this.lastIndex = found === null ? 0 : found.end;
    return engineMatch(found);
  }
}

/** Converts a value to a position in a text, as RegExp does with `lastIndex`. */
export function toLength(value: unknown): number {
  const length = Math.trunc(Number(value));
  return length > 0 ? length : 0;
}

function engineMatch(found: RegexMatch | null): EngineMatch | null {
  return found === null ? null : Object.assign([found.match, ...found.groups], { index: found.start });
}

/** The result of `new RegExp({})`. */
const copiedLiteral = /[object Object]/;

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
