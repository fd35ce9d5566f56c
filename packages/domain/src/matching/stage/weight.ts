import { jsonWeight } from '@tieout/infra';

/** Smaller values are many more, and to look into each of them would take a share of the time that it takes to read it. */
const lookedInto = 256;

/**
 * What the value in [from, to) counts for where memory is bounded: its text where it is small or flat. One that is dense in objects or
 * arrays takes up to 20 times its text once it is parsed, and counts for as much flat text as takes that.
 */
export function valueWeight(values: Buffer, from: number, to: number): number {
  return to - from <= lookedInto ? to - from : jsonWeight(values.subarray(from, to));
}
