import { beginNext } from '../expression/compiler/runtime/meter';

/** Stands in a column for what a value costs too much to keep, or for the error that came instead of one. */
export abstract class Deferred {
  /** The value, for a pair that needs it. Throws what its evaluation threw. */
  abstract settle(): unknown;
}

export class FailedValue extends Deferred {
  constructor(readonly thrown: unknown) {
    super();
  }

  settle(): never {
    // What it took was told when the column was made.
    beginNext();
    throw this.thrown;
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
}

/** Longer texts are not kept and have no codes. */
export const LONGEST_TEXT = 1_024;
const MOST_PARTS = 256;

/** Whether keeping such a value for every record could fill the memory. */
export function isLarge(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONGEST_TEXT;
  return typeof value === 'object' && value !== null && sizeOf(value) > MOST_PARTS;
}

/** Parts of a value, with long texts as many; counting ends when it is known to be large. */
function sizeOf(value: object): number {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && size <= MOST_PARTS) {
    const next = open.pop();
    size += 1;
    if (typeof next === 'string') size += next.length / (LONGEST_TEXT / MOST_PARTS);
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (members.length > MOST_PARTS) return members.length;
    open.push(...members);
  }
  return size;
}
