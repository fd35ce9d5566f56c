import { giveUp } from '../../fault';
import { checkSequenceLength, sequenceOptions, tick } from '../../limits/meter';
import { emptySequence } from './sequences';
import type { MarkedArray } from './values';

/** The `this` of jsonata's functions. */
export const focus = {
  environment: {
    /** The functions call it in loops that may take long. */
    base: { guardrails: () => tick(1) },
    /** The time of the evaluation, which fills up a date without all its parts, is jsonata's to give. */
    get timestamp(): Date {
      return giveUp();
    },
  },
  options: sequenceOptions,
  createSequence,
};

function createSequence(...items: unknown[]): MarkedArray {
  const sequence = emptySequence();
  const push = (...added: unknown[]): number => {
    checkSequenceLength(sequence.length + added.length);
    return Array.prototype.push.apply(sequence, added);
  };
  Object.defineProperty(sequence, 'push', { value: push });
  if (items.length === 1) sequence.push(items[0]);
  return sequence;
}
