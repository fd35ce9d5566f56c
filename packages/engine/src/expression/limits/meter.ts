import type { EvaluationTime, Moment } from '../../../generated/jsonata-sync';
import { fail } from '../fault';

/** Steps of one evaluation: items visited, calls made, characters matched. About a second's worth. */
const maxSteps = 20_000_000;

/** jsonata's code for its limit of time. */
const outOfSteps = 'D1012';

const defaultSequenceLength = 100_000;
const defaultStackDepth = 2_000;

/**
 * From this number of steps on, some 50 µs, an evaluation may have taken long: the time of a step varies by orders of
 * magnitude.
 */
const longSteps = 1_000;

/** Evaluations are synchronous and do not nest: one meter serves them all. */
const meter = {
  fuel: maxSteps,
  full: maxSteps,
  calls: 0,
  maxCalls: defaultStackDepth,
  longKeys: 0,
  lastLongKey: '',
  someTookLong: false,
};

/** The limit in the form that jsonata's functions read. */
export const sequenceOptions = { sequence: defaultSequenceLength };

/** Starts an evaluation. Users of the runtime outside of compiled code call it from time to time. */
export function refuel(sequenceLength = defaultSequenceLength, stackDepth = defaultStackDepth): void {
  meter.fuel = meter.full;
  meter.calls = 0;
  meter.maxCalls = stackDepth;
  meter.longKeys = 0;
  meter.lastLongKey = '';
  sequenceOptions.sequence = sequenceLength;
}

/** Returns the share of its steps that the current or last evaluation used: 0..1. */
export function effort(): number {
  return Math.min(1, (maxSteps - meter.fuel) / maxSteps);
}

/** Evaluates with a limit of `steps`. An evaluation that needs more throws the same error as at the normal limit. */
export function withinSteps<T>(steps: number, evaluate: () => T): T {
  meter.full = steps;
  try {
    return evaluate();
  } finally {
    meter.full = maxSteps;
    meter.fuel += maxSteps - steps;
  }
}

/** Returns whether an evaluation threw this because it ran out of steps or time. */
export function isOutOfSteps(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && (thrown as { code?: unknown }).code === outOfSteps;
}

/** Uses up the steps of an evaluation that has ended on its limit of time. */
export function exhaust(): void {
  meter.fuel = 0;
}

let time: EvaluationTime | undefined;

/** Restarts the time of the current evaluation at its next reading of the clock. */
export function resetTime(): void {
  time = undefined;
}

/**
 * Returns the start of the current evaluation's time, at its first reading of the clock, and the time that it had.
 * Steps that compiled code used before reduce the time as well.
 */
export function began(now: Moment, limitMs: number): EvaluationTime {
  time ??= { ...now, leftMs: limitMs * (1 - effort()) };
  return time;
}

/** Returns whether the current or last evaluation may have taken long. */
export function tookLong(): boolean {
  return meter.fuel < maxSteps - longSteps;
}

/** Starts the first of several evaluations. */
export function beginSeveral(): void {
  meter.someTookLong = false;
  refuel();
}

/** Starts the next one of several. */
export function beginNext(): void {
  if (tookLong()) meter.someTookLong = true;
  refuel();
}

/** Starts an evaluation that is made again; the first one used this share of its steps. */
export function beginRepeated(share: number): void {
  beginNext();
  meter.fuel = maxSteps * (1 - share);
}

/** Marks that an evaluation may take longer than its steps show. */
export function mayTakeLong(): void {
  meter.someTookLong = true;
}

/** Returns whether one of the evaluations since `beginSeveral` may have taken long. */
export function someTookLong(): boolean {
  return meter.someTookLong || tookLong();
}

export function tick(steps: number): void {
  meter.fuel -= steps;
  if (meter.fuel < 0)
    fail({
      code: outOfSteps,
      message: `The evaluation takes more than ${maxSteps} steps. Check for an infinite loop.`,
    });
}

/** Charges for work that has been done: an evaluation that fails of something else has taken that much as well. */
export function spend(steps: number): void {
  meter.fuel = Math.max(0, meter.fuel - steps);
}

/**
 * Counts the entry into a lambda and limits the nesting. jsonata counts at least two nodes for nearly each call, so its
 * own count ends first, and endless recursion is found without exhausting the native stack and evaluating again.
 */
export function enterCall(): void {
  tick(1);
  meter.calls++;
  if (meter.calls > meter.maxCalls) fail({ code: 'D1011' });
}

/** Returns the result of a call. A call that throws ends the evaluation. */
export function leaveCall(result: unknown): unknown {
  meter.calls--;
  return result;
}

/** Charges for a text that was made: this bounds the texts in an evaluation's memory. */
export function tickText(length: number): void {
  tick(1 + (length >> 2));
}

/**
 * V8 prepares only the end of a longer pattern: where that fits, it may compare the whole pattern at each position of
 * the text.
 */
const maxPreparedLength = 248;

/**
 * Charges for searching a text for a part. A nanosecond covers 20 characters of the text at best, and one character
 * takes eight nanoseconds at worst; most searches are near the best. For a long part each position may take a quarter
 * of a nanosecond per character of the part.
 */
export function tickSearched(length: number, partLength: number): void {
  const compared = partLength > maxPreparedLength && partLength < length ? (length - partLength) * partLength : 0;
  tick(1 + (length >> 4) + Math.floor(compared / 256));
}

/** Charges for reading a text. */
export function tickRead(length: number): void {
  tick(1 + (length >> 5));
}

/** V8 hashes a longer text only by its length. As a key it is compared with all others of the same length. */
const maxHashedLength = 16_383;

/**
 * Charges for a text used as a key or compared with other keys: long ones are compared at some ten characters per
 * nanosecond.
 */
export function tickKey(key: unknown): void {
  if (typeof key !== 'string' || key.length <= maxHashedLength) return;
  // A key that is used repeatedly is compared with the others each time, but does not count as another key.
  if (key !== meter.lastLongKey) {
    meter.longKeys++;
    meter.lastLongKey = key;
  }
  tick(meter.longKeys * (key.length >> 9));
}

/** Charges for items that are gone through: each takes a few nanoseconds. */
export function tickItems(length: number): void {
  tick(1 + (length >> 3));
}

/** The same where each item is looked at by a function, in ten nanoseconds and more. */
export function tickChecked(length: number): void {
  tick(1 + (length >> 2));
}

const slicing: ReadonlySet<string> = new Set(['substring', 'substringBefore', 'substringAfter']);

/** Returns whether a jsonata function returns a slice of its argument, which takes neither time nor memory to make. */
export function givesSlice(name: string): boolean {
  return slicing.has(name);
}

/** The cost of an item of an array that a function made; such an item is often a new text. */
const stepsPerItem = 4;

/** The same for an item that is an object or array: some 200 bytes, of which a heap holds a million at most. */
const stepsPerObject = 48;

/** Charges for what a function of jsonata has made, where it is a text or an array. */
export function tickMade(result: unknown): void {
  if (typeof result === 'string') tickText(result.length);
  else if (Array.isArray(result)) tick((isObject(result[0]) ? stepsPerObject : stepsPerItem) * result.length);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The cost of making a member of an object, in steps. */
const stepsPerMember = 16;

/** Charges for an object with this number of members. */
export function tickMembers(members: number): void {
  tick(stepsPerMember * members);
}

export function checkSequenceLength(length: number): void {
  if (length > sequenceOptions.sequence) fail({ code: 'D2015', value: sequenceOptions.sequence });
}
