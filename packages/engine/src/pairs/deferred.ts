import { beginAgain, beginNext, effort } from '../expression/compiler/runtime/meter';
import type { Side } from '../types';

/** What a failed evaluation is of: all pairs of a record, any pair, or one pair. */
export type FailureOf = Side | 'constant' | 'pair';

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
  constructor(thrown: unknown, of: FailureOf, private spent: number) {
    super();
    this.thrown = withoutStack(thrown);
    if (typeof this.thrown === 'object' && this.thrown !== null) failuresOf.set(this.thrown, of);
  }

  settle(): never {
    beginAgain(this.spent);
    this.spent = 0;
    throw this.thrown;
  }
}

/** jsonata's errors carry a stack as text, which would be kept for each row that fails. */
function withoutStack(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return thrown;
  return { ...thrown, stack: undefined };
}

/** A value that may cost much and fail, as others of its column did: it is evaluated when the first pair needs it. */
export class AwaitedValue<T> extends Deferred {
  private result: { value: unknown } | FailedValue | null = null;

  constructor(private readonly read: (input: T) => unknown, private readonly input: T, private readonly of: FailureOf) {
    super();
  }

  settle(): unknown {
    this.result ??= this.evaluate();
    if (this.result instanceof FailedValue) return this.result.settle();
    const { value } = this.result;
    if (bytesOf(value) === Infinity) this.result = null;
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

/** A large value that an expression made of a record: it is made again for each pair that needs it. */
export class LargeValue<T> extends Deferred {
  constructor(private readonly read: (input: T) => unknown, private readonly input: T) {
    super();
  }

  settle(): unknown {
    beginNext();
    return this.read(this.input);
  }

  override raise(): void {
    // Its evaluation has not failed.
  }
}

/** Longer texts are not kept and have no codes. */
export const LONGEST_TEXT = 1_024;
const MOST_PARTS = 256;

/** Of a text beside its characters, and of a part of an array or object, about. */
const BYTES_BESIDE_TEXT = 32;
const BYTES_PER_PART = 16;

/** What a value takes that is kept, about; Infinity when keeping such a value for every record could fill the memory. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? Infinity : BYTES_BESIDE_TEXT + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const parts = sizeOf(value);
  return parts > MOST_PARTS ? Infinity : BYTES_PER_PART * parts;
}

/** Parts of a value, with long texts as many; counting ends when there are too many. */
function sizeOf(value: object): number {
  let parts = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && parts <= MOST_PARTS) {
    const next = open.pop();
    parts += 1;
    if (typeof next === 'string') parts += next.length / (LONGEST_TEXT / MOST_PARTS);
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (members.length > MOST_PARTS) return members.length;
    open.push(...members);
  }
  return parts;
}
