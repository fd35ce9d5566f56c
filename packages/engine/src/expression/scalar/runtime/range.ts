import { fail } from './fault';
import { checkSequenceLength, tick } from './meter';
import type { MarkedArray } from './values';

const LONGEST_RANGE = 10_000_000;

/** `left..right`, a sequence. */
export function range(left: unknown, right: unknown): MarkedArray | undefined {
  if (left !== undefined && !Number.isInteger(left)) fail({ code: 'T2003', value: left, token: '..' });
  if (right !== undefined && !Number.isInteger(right)) fail({ code: 'T2004', value: right, token: '..' });
  if (left === undefined || right === undefined) return undefined;
  const first = left as number;
  const length = (right as number) - first + 1;
  if (length <= 0) return undefined;
  if (length > LONGEST_RANGE) fail({ code: 'D2014', value: length, token: '..' });
  checkSequenceLength(length);
  tick(length);
  // A negative zero stays one, as a first item.
  const sequence: MarkedArray = Array.from({ length }, (_, index) => (index === 0 ? first : first + index));
  sequence.sequence = true;
  return sequence;
}
