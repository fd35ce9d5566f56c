import type { EvaluationTime, Moment } from '../../../../generated/jsonata-sync';
import { fail } from './fault';

/** Steps of one evaluation: items visited, calls made, characters matched. About a second's worth. */
const FUEL = 20_000_000;

/** jsonata's code for its limit of time. */
const OUT_OF_STEPS = 'D1012';

const DEFAULT_SEQUENCE_LENGTH = 100_000;
const DEFAULT_STACK_DEPTH = 2_000;

/** From so many steps on, some 50 µs, an evaluation may have taken long: what a step takes differs by some orders of magnitude. */
const LONG_STEPS = 1_000;

/** Evaluations are synchronous and do not nest: one meter serves them all. */
const meter = {
  fuel: FUEL,
  full: FUEL,
  calls: 0,
  mostCalls: DEFAULT_STACK_DEPTH,
  longKeys: 0,
  lastLongKey: '',
  someTookLong: false,
};

/** In the form in which jsonata's functions read it. */
export const sequenceOptions = { sequence: DEFAULT_SEQUENCE_LENGTH };

/** Starts an evaluation. Whoever uses the runtime outside of compiled code calls it now and then. */
export function refuel(sequenceLength = DEFAULT_SEQUENCE_LENGTH, stackDepth = DEFAULT_STACK_DEPTH): void {
  meter.fuel = meter.full;
  meter.calls = 0;
  meter.mostCalls = stackDepth;
  meter.longKeys = 0;
  meter.lastLongKey = '';
  sequenceOptions.sequence = sequenceLength;
}

/** The share of its steps that the evaluation at hand has taken, or the last one took: 0..1. */
export function effort(): number {
  return Math.min(1, (FUEL - meter.fuel) / FUEL);
}

/** Evaluates with so few steps: what takes more of them throws as at the limit. */
export function withinSteps<T>(steps: number, evaluate: () => T): T {
  meter.full = steps;
  try {
    return evaluate();
  } finally {
    meter.full = FUEL;
    meter.fuel += FUEL - steps;
  }
}

/** Whether an evaluation threw this for want of steps or time. */
export function isOutOfSteps(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && (thrown as { code?: unknown }).code === OUT_OF_STEPS;
}

/** Uses up the steps of an evaluation that has ended on its limit of time. */
export function exhaust(): void {
  meter.fuel = 0;
}

let time: EvaluationTime | undefined;

/** The time of the evaluation at hand runs from its next look at the clock on. */
export function resetTime(): void {
  time = undefined;
}

/**
 * When the time of the evaluation at hand began to run, at the first look at the clock, and what there was of it: what compiled code
 * has used up of its steps before is gone from the time as well.
 */
export function began(now: Moment, limitMs: number): EvaluationTime {
  time ??= { ...now, leftMs: limitMs * (1 - effort()) };
  return time;
}

/** Whether the evaluation at hand, or the last one, may have taken long. */
export function tookLong(): boolean {
  return meter.fuel < FUEL - LONG_STEPS;
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

/** Starts one that has been made before: it took this share of its steps. */
export function beginAgain(share: number): void {
  beginNext();
  meter.fuel = FUEL * (1 - share);
}

/** One of several evaluations takes time that its steps do not tell. */
export function mayTakeLong(): void {
  meter.someTookLong = true;
}

/** Whether one of the evaluations since `beginSeveral` may have taken long. */
export function someTookLong(): boolean {
  return meter.someTookLong || tookLong();
}

export function tick(steps: number): void {
  meter.fuel -= steps;
  if (meter.fuel < 0)
    fail({ code: OUT_OF_STEPS, message: `The evaluation takes more than ${FUEL} steps. Check for an infinite loop.` });
}

/** Charges for work that has been done: an evaluation that fails of something else has taken that much as well. */
export function spend(steps: number): void {
  meter.fuel = Math.max(0, meter.fuel - steps);
}

/**
 * A lambda is called within so many others that have not returned. jsonata counts two nodes and more for nearly each of them: where this ends,
 * its count has ended before, and recursion without end need not exhaust the native stack, and be evaluated again, to be found.
 */
export function enterCall(): void {
  tick(1);
  meter.calls += 1;
  if (meter.calls > meter.mostCalls) fail({ code: 'D1011' });
}

/** What it returns. One that throws ends the evaluation. */
export function leaveCall(result: unknown): unknown {
  meter.calls -= 1;
  return result;
}

/** Charges for a text that has been made: so many of them fit into an evaluation's memory. */
export function tickText(length: number): void {
  tick(1 + (length >> 2));
}

/** Of a longer part V8 prepares only the end: where that fits, it may compare the whole part, at each place of the text. */
const LONGEST_PREPARED = 248;

/**
 * Charges for a text that is searched for a part of so many characters: some 20 characters of the text take a nanosecond
 * at best, one takes eight at worst, and most searches are of the best. As many places as there are for a long part may each take a quarter
 * of a nanosecond a character of it.
 */
export function tickSearched(length: number, partLength: number): void {
  const compared = partLength > LONGEST_PREPARED && partLength < length ? (length - partLength) * partLength : 0;
  tick(1 + (length >> 4) + Math.floor(compared / 256));
}

/** Charges for a text that is gone through. */
export function tickRead(length: number): void {
  tick(1 + (length >> 5));
}

/** V8 hashes a longer text by its length alone: where it is a key, it is compared with all others that are as long. */
const LONGEST_HASHED = 16_383;

/** Charges for a text that is a key, or is told apart from others as one: long ones are compared at some ten characters a nanosecond. */
export function tickKey(key: unknown): void {
  if (typeof key !== 'string' || key.length <= LONGEST_HASHED) return;
  // One that is used again and again is compared with the others each time, and is no further one itself.
  if (key !== meter.lastLongKey) {
    meter.longKeys += 1;
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

/** Whether the text that a function of jsonata gives is a part of its argument, which takes neither time nor memory to make. */
export function givesSlice(name: string): boolean {
  return slicing.has(name);
}

/** What an item of an array costs that a function has made, often a text of its own. */
const STEPS_AN_ITEM = 4;

/** The same for an item that is an object or array of its own: some 200 bytes, of which a heap holds a million at most. */
const STEPS_AN_OBJECT = 48;

/** Charges for what a function of jsonata has made, where it is a text or an array. */
export function tickMade(result: unknown): void {
  if (typeof result === 'string') tickText(result.length);
  else if (Array.isArray(result)) tick((isObject(result[0]) ? STEPS_AN_OBJECT : STEPS_AN_ITEM) * result.length);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** What making a member of an object costs, in steps. */
const STEPS_A_MEMBER = 16;

/** Charges for an object of so many members. */
export function tickMembers(members: number): void {
  tick(STEPS_A_MEMBER * members);
}

export function checkSequenceLength(length: number): void {
  if (length > sequenceOptions.sequence) fail({ code: 'D2015', value: sequenceOptions.sequence });
}
