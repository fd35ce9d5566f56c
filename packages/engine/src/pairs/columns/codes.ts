import type { Side } from '../../values/types';
import { AwaitedValue, maxTextLength } from './deferred';

/**
 * Codes of values without an entry in the dictionary. Equal values have equal codes, and a negative code equals no code
 * of the other side. Codes below `unknown` mean no value (`leftNothing`, `rightNothing`) or a value that has to be
 * compared itself (`uncoded`).
 */
export const valueCode = { unknown: -1, leftNothing: -2, rightNothing: -3, uncoded: -4 } as const;

/**
 * Dictionary encoding of scalars: numbers the values of the left side, so that `=` compares integers. Values that
 * only the right side has are unknown to it.
 */
export class Dictionary {
  private readonly codes = new Map<unknown, number>();
  /**
   * True if the left side has values that are not known yet; then values of the right side are kept to be compared
   * with them.
   */
  private awaitsLeft = false;

  /** Number of values. */
  get size(): number {
    return this.codes.size;
  }

  /** Returns the code of a value that is added to its side. */
  codeOf(side: Side, value: unknown): number {
    const code = this.find(side, value);
    if (side === 'left') {
      if (value instanceof AwaitedValue) this.awaitsLeft = true;
      return code === valueCode.unknown ? this.add(value) : code;
    }
    return this.awaitsLeft && code !== valueCode.rightNothing ? valueCode.uncoded : code;
  }

  /** Returns the code of a value of a side; `unknown` for one that the left side does not have. */
  find(side: Side, value: unknown): number {
    if (value === undefined) return side === 'left' ? valueCode.leftNothing : valueCode.rightNothing;
    if (!hasCode(value)) return valueCode.uncoded;
    return this.codes.get(value) ?? valueCode.unknown;
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
