import { withMessage } from '../../expression/reference/fault-message';
import { detached } from '../../expression/functions/memo';
import { beginAgain, beginNext, effort } from '../../expression/limits/meter';
import type { FailureOf } from '../types';

const failuresOf = new WeakMap<object, FailureOf>();

/** Of what the evaluation was that threw this. */
export function failureOf(thrown: unknown): FailureOf {
  return (typeof thrown === 'object' && thrown !== null ? failuresOf.get(thrown) : undefined) ?? 'pair';
}

/** Stands in a column for what a value costs too much to keep, or for the error that came instead of one. */
export abstract class Deferred {
  /** The value, for a pair that needs it. Throws what its evaluation threw. */
  abstract settle(): unknown;

  /** For a pair that needs no value, but the error that may come instead of it. */
  raise(): void {
    this.settle();
  }
}

export class FailedValue extends Deferred {
  readonly thrown: unknown;

  /** `spent`: the effort of the evaluation, which counts for the first pair that needs it. */
  constructor(
    thrown: unknown,
    of: FailureOf,
    private spent: number,
  ) {
    super();
    this.thrown = keptOf(thrown);
    if (typeof this.thrown === 'object' && this.thrown !== null) failuresOf.set(this.thrown, of);
  }

  settle(): never {
    beginAgain(this.spent);
    this.spent = 0;
    throw this.thrown;
  }
}

/**
 * What is kept of an error for each row that fails. jsonata's errors carry a stack as text; the value that an error is about may be large,
 * or cut from a large one: its message says as much of it as anybody will read.
 */
function keptOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown;
  const told = Object.values(thrown).some(isLarge) ? (withMessage(thrown) as object) : thrown;
  const kept = Object.entries(told).filter(([key, part]) => key !== 'stack' && !isLarge(part));
  return Object.fromEntries(kept.map(([key, part]) => [key, detachTexts(part)]));
}

/** A value that may cost much and fail, as others of its column did: it is evaluated when the first pair needs it. */
export class AwaitedValue<T> extends Deferred {
  private result: { value: unknown } | FailedValue | null = null;

  constructor(
    private readonly read: (input: T) => unknown,
    private readonly input: T,
    private readonly of: FailureOf,
  ) {
    super();
  }

  settle(): unknown {
    this.result ??= this.evaluate();
    if (this.result instanceof FailedValue) return this.result.settle();
    const { value } = this.result;
    if (isLarge(value)) this.result = null;
    return value;
  }

  private evaluate(): { value: unknown } | FailedValue {
    beginNext();
    try {
      return { value: this.read(this.input) };
    } catch (thrown) {
      return new FailedValue(thrown, this.of, effort());
    }
  }
}

/** Holds the large value that was needed last, if that leaves room for others: pairs that follow each other often need the same one. */
export class LargeValueCache {
  private owner: object | null = null;
  private value: unknown;

  of(owner: object, make: () => unknown): unknown {
    if (this.owner === owner) return this.value;
    this.forget();
    const value = make();
    if (bytesOf(value, maxCachedParts) <= maxCachedBytes) {
      this.owner = owner;
      this.value = value;
    }
    return value;
  }

  forget(): void {
    this.owner = null;
    this.value = undefined;
  }
}

/** A large value that an expression made of a record: unless it is at hand, it is made again for each pair that needs it. */
export class LargeValue<T> extends Deferred {
  constructor(
    private readonly read: (input: T) => unknown,
    private readonly input: T,
    private readonly last: LargeValueCache,
  ) {
    super();
  }

  settle(): unknown {
    beginNext();
    return this.last.of(this, () => this.read(this.input));
  }

  override raise(): void {
    // Its evaluation has not failed.
  }
}

/** Longer texts are not kept and have no codes. */
export const maxTextLength = 1_024;
const maxKeptParts = 256;
const charactersPerPart = maxTextLength / maxKeptParts;

/** Of a value that is held alone. */
const maxCachedParts = 1 << 20;
const maxCachedBytes = 32 << 20;

/** Of a text beside its characters; of an array or object, which has room for some members; of anything else in one. */
const bytesPerText = 32;
const bytesPerContainer = 200;
const bytesPerScalar = 24;

/**
 * What a value takes that is kept, about; Infinity when keeping such a value for every record could fill the memory, or with so many parts one
 * alone: a function keeps all that it can name.
 */
export function bytesOf(value: unknown, maxParts = maxKeptParts): number {
  if (typeof value === 'string') return value.length > maxParts * charactersPerPart ? Infinity : bytesOfText(value);
  if (typeof value === 'function') return Infinity;
  return typeof value === 'object' && value !== null ? bytesWithin(value, maxParts) : 0;
}

/** Whether a value is not kept. */
export const isLarge = (value: unknown): boolean => bytesOf(value) === Infinity;

const bytesOfText = (text: string): number => bytesPerText + 2 * text.length;

/** Looks at so many parts at most; long texts, and names of members, are as many. */
function bytesWithin(value: object, mostParts: number): number {
  let bytes = 0;
  let parts = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    parts++;
    if (typeof next === 'string') {
      parts += next.length / charactersPerPart;
      bytes += bytesOfText(next);
    } else if (typeof next === 'object' && next !== null) {
      const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
      if (members.length > mostParts) return Infinity;
      if (members !== next) for (const name of Object.keys(next)) parts += name.length / charactersPerPart;
      bytes += bytesPerContainer;
      for (const member of members) open.push(member);
    } else if (typeof next === 'function') return Infinity;
    else bytes += bytesPerScalar;
    if (parts > mostParts) return Infinity;
  }
  return bytes;
}

/** The same value, which `bytesOf` says may be kept, without a hold on longer texts that its own were cut from. */
export function detachTexts(value: unknown): unknown {
  if (typeof value === 'string') return detached(value);
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    const members = next as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === 'string') members[name] = detached(member);
      else open.push(member);
    }
  }
  return value;
}
