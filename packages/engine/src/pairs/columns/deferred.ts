import { withMessage } from '../../expression/reference/fault-message';
import { detached } from '../../expression/functions/memo';
import { beginRepeated, beginNext, effort } from '../../expression/limits/meter';
import type { FailureOf } from '../types';

const failuresOf = new WeakMap<object, FailureOf>();

/** Returns what the failed evaluation belongs to that threw this. */
export function failureOf(thrown: unknown): FailureOf {
  return (typeof thrown === 'object' && thrown !== null ? failuresOf.get(thrown) : undefined) ?? 'pair';
}

/** Placeholder in a column for a value that costs too much to keep, or for the error that came instead of one. */
export abstract class Deferred {
  /** Returns the value for a pair that needs it. Throws what its evaluation threw. */
  abstract settle(): unknown;

  /** Throws the error that came instead of a value, for a pair that needs no value. */
  raise(): void {
    this.settle();
  }
}

export class FailedValue extends Deferred {
  readonly thrown: unknown;

  /** `spent` is the effort of the evaluation, which counts for the first pair that needs the value. */
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
    beginRepeated(this.spent);
    this.spent = 0;
    throw this.thrown;
  }
}

/**
 * Reduces an error to what is kept of it for each failing row. jsonata's errors carry a stack as text; the value
 * that an error concerns may be large, or cut from a large one, and its message says enough of it.
 */
function keptOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown;
  const told = Object.values(thrown).some(isLarge) ? (withMessage(thrown) as object) : thrown;
  const kept = Object.entries(told).filter(([key, part]) => key !== 'stack' && !isLarge(part));
  return Object.fromEntries(kept.map(([key, part]) => [key, detachTexts(part)]));
}

/** A value that may be slow and fail, as others of its column did: it is evaluated when the first pair needs it. */
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

/**
 * Caches the large value that was needed last, if it leaves room for others: neighbouring pairs often need the same
 * one.
 */
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

/**
 * A large value that an expression made of a record: unless it is cached, it is computed again for each pair that
 * needs it.
 */
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
    // A large value has no error.
  }
}

/** Bound on texts that are kept and have codes. */
export const maxTextLength = 1_024;
const maxKeptParts = 256;
const charactersPerPart = maxTextLength / maxKeptParts;

/** Bounds on the cached value. */
const maxCachedParts = 1 << 20;
const maxCachedBytes = 32 << 20;

/**
 * Approximate bytes of a text besides its characters, of an array or object with room for some members, and of any
 * other value in one.
 */
const bytesPerText = 32;
const bytesPerContainer = 200;
const bytesPerScalar = 24;

/**
 * Estimates the bytes of a kept value. Infinity when keeping such a value for every record could fill the memory,
 * or when this one has more than `maxParts` parts: a function keeps everything that it can name.
 */
export function bytesOf(value: unknown, maxParts = maxKeptParts): number {
  if (typeof value === 'string') return value.length > maxParts * charactersPerPart ? Infinity : bytesOfText(value);
  if (typeof value === 'function') return Infinity;
  return typeof value === 'object' && value !== null ? bytesWithin(value, maxParts) : 0;
}

/** Returns whether a value is too large to keep. */
export const isLarge = (value: unknown): boolean => bytesOf(value) === Infinity;

const bytesOfText = (text: string): number => bytesPerText + 2 * text.length;

/** Estimates the bytes of an object, up to `maxParts` parts; long texts and names of members count as several. */
function bytesWithin(value: object, maxParts: number): number {
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
      if (members.length > maxParts) return Infinity;
      if (members !== next) for (const name of Object.keys(next)) parts += name.length / charactersPerPart;
      bytes += bytesPerContainer;
      for (const member of members) open.push(member);
    } else if (typeof next === 'function') return Infinity;
    else bytes += bytesPerScalar;
    if (parts > maxParts) return Infinity;
  }
  return bytes;
}

/** Copies the texts of a value, so that they do not keep the longer texts alive that they are slices of. */
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
