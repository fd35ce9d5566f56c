import { ExpressionError } from '../error';
import { backtrackingBound, maxLengthWithin } from './backtracking-bound';
import { firstUnits, isNullable } from './first';
import { Machine } from './machine';
import type { Meter } from './machine';
import { nestingOf, parsePattern } from './pattern';
import type { ParsedPattern } from './pattern';
import { compileProgram, NoProgram } from './program';
import { noUnits } from './char-set';

/** The location of a match in UTF-16 offsets. Groups that took no part are undefined. */
export interface RegexMatch {
  match: string;
  start: number;
  end: number;
  groups: (string | undefined)[];
}

/** A JavaScript regular expression whose time is bounded. It holds no state between calls. */
export interface LinearRegex {
  readonly source: string;
  readonly flags: string;
  /** The longest text that is given to the runtime's own RegExp, which backtracks; -1 for none. */
  readonly maxNativeLength: number;
  test(text: string, meter?: Meter): boolean;
  /**
   * Returns the first match at or after `from`, as RegExp does. Throws an ExpressionError: `regex_steps_exceeded`, or
   * `regex_not_linear` where only backtracking can match and the text is too long for it.
   */
  exec(text: string, from: number, meter?: Meter): RegexMatch | null;
}

/** Backtracking with at most this many steps is faster than the machine. */
const nativeSteps = 4_000_000;
/** The same for a pattern without an automaton. */
const nativeOnlySteps = 20_000_000;
/** A text of so few units may always be matched by a pattern that only backtracking can match. */
const minNativeLength = 64;
/** Steps of one search by the machine: some tenths of a second. */
export const maxMachineSteps = 20_000_000;
/** Backtracking steps that take as long as one step of the machine. */
const nativeStepsPerStep = 256;

const maxSourceLength = 2_000;
const maxNesting = 50;

/**
 * Prepares a regular expression of JavaScript, with the flags i and m; any g counts for nothing. Texts on which
 * backtracking provably takes few steps are given to the runtime's RegExp, longer ones to a machine without
 * backtracking that gives the same match and groups. Throws an ExpressionError, `regex_not_linear`, where neither is
 * possible.
 */
export function createRegex(source: string, flags: string, position?: number): LinearRegex {
  const own = flags.replaceAll('g', '');
  const refuse = (reason: string): never => {
    throw new ExpressionError(
      'regex_not_linear',
      `/${shortened(source)}/ cannot be matched in linear time: ${reason}.`,
      { position },
    );
  };
  if (/[^im]/.test(own)) return refuse('only the flags i and m are supported');
  if (source.length > maxSourceLength) return refuse(`it has more than ${maxSourceLength} characters`);
  const native = new RegExp(source, `${own}g`);
  const parsed = parsePattern(source, own);
  if (nestingOf(parsed.root) > maxNesting) return refuse(`it is nested deeper than ${maxNesting}`);
  const machine = machineOf(parsed);
  const bound = backtrackingBound(parsed.root);
  const maxNativeLength = maxLengthWithin(bound, machine instanceof Machine ? nativeSteps : nativeOnlySteps);
  if (!(machine instanceof Machine) && maxNativeLength < minNativeLength) return refuse(machine.message);

  const exec = (text: string, from: number, meter: Meter = ownMeter()): RegexMatch | null => {
    if (text.length <= maxNativeLength) {
      // The steps of all consecutive searches of one text together stay within the bound of one search.
      if (from === 0) meter(1 + Math.ceil((bound.factor * (text.length + 1) ** bound.degree) / nativeStepsPerStep));
      return nativeMatch(native, text, from);
    }
    if (!(machine instanceof Machine)) return refuse(`${machine.message}, and the text has ${text.length} characters`);
    return machineMatch(machine, text, from, meter);
  };
  return {
    source,
    flags: own,
    maxNativeLength,
    exec,
    test: (text, meter) => exec(text, 0, meter) !== null,
  };
}

function machineOf(parsed: ParsedPattern): Machine | NoProgram {
  const first = isNullable(parsed.root) ? undefined : firstUnits(parsed.root, noUnits);
  try {
    return new Machine(compileProgram(parsed), first);
  } catch (error) {
    if (error instanceof NoProgram) return error;
    throw error;
  }
}

function nativeMatch(native: RegExp, text: string, from: number): RegexMatch | null {
  native.lastIndex = from;
  const found = native.exec(text);
  return found === null
    ? null
    : { match: found[0], start: found.index, end: found.index + found[0].length, groups: found.slice(1) };
}

function machineMatch(machine: Machine, text: string, from: number, meter: Meter): RegexMatch | null {
  const slots = machine.match(text, from, meter);
  if (slots === undefined) return null;
  const [start = 0, end = 0] = slots;
  const groups = Array.from({ length: slots.length / 2 - 1 }, (_, group) => {
    const [groupStart = -1, groupEnd = -1] = slots.slice(2 * group + 2);
    return groupStart < 0 || groupEnd < 0 ? undefined : text.slice(groupStart, groupEnd);
  });
  return { match: text.slice(start, end), start, end, groups };
}

function ownMeter(): Meter {
  let left = maxMachineSteps;
  return (steps) => {
    left -= steps;
    if (left < 0)
      throw new ExpressionError('regex_steps_exceeded', 'A regular expression takes too many steps on this text.');
  };
}

function shortened(source: string): string {
  return source.length <= 60 ? source : `${source.slice(0, 60)}…`;
}
