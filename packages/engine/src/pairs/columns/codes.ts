import type { Side } from '../../values/types';
import { AwaitedValue, maxTextLength } from './deferred';

/**
 * Codes of values. Equal values have equal codes; a negative one equals none of the other side. Below UNKNOWN there is no
 * value (NOTHING), or one that only a comparison of values can tell (NONE).
 */
export const valueCode = { UNKNOWN: -1, LEFT_NOTHING: -2, RIGHT_NOTHING: -3, NONE: -4 } as const;

/** Numbers the scalars of the left side; what the right side adds to that is unknown to it. */
export class Dictionary {
  private readonly codes = new Map<unknown, number>();
  /** The left side has values that are not known yet: those of the right side are kept, to be compared with them. */
  private awaitsLeft = false;

  /** The values that it holds. */
  get size(): number {
    return this.codes.size;
  }

  /** The code of a value that is added to its side. */
  codeOf(side: Side, value: unknown): number {
    const code = this.find(side, value);
    if (side === 'left') {
      if (value instanceof AwaitedValue) this.awaitsLeft = true;
      return code === valueCode.UNKNOWN ? this.add(value) : code;
    }
    return this.awaitsLeft && code !== valueCode.RIGHT_NOTHING ? valueCode.NONE : code;
  }

  /** The code of a value that belongs to a side: UNKNOWN for one that the left side does not have. */
  find(side: Side, value: unknown): number {
    if (value === undefined) return side === 'left' ? valueCode.LEFT_NOTHING : valueCode.RIGHT_NOTHING;
    if (!hasCode(value)) return valueCode.NONE;
    return this.codes.get(value) ?? valueCode.UNKNOWN;
  }

  private add(value: unknown): number {
    const code = this.codes.size;
    this.codes.set(value, code);
    return code;
  }
}

function hasCode(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.length <= maxTextLength;
    case 'number':
      return !Number.isNaN(value);
    case 'boolean':
      return true;
    default:
      return value === null;
  }
}
