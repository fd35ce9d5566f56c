import { isCodeForbidden } from '../../expression/scalar/code-generation';
import { generateLoop, signatureOf } from './loop-source';
import type { LoopFactory, LoopRules, PairFrame, PairLoop } from './types';

/** Data of a dataset has few kinds; one that keeps changing them shall not fill the memory with loops. */
const maxLoops = 64;

/** The loops of a rule set, kept for its next batches: what V8 learns about one serves them all. */
export class LoopCache {
  private readonly loops = new Map<string, LoopFactory>();

  constructor(readonly rules: LoopRules) {}

  open(frame: PairFrame): PairLoop {
    return this.factory(signatureOf(frame.left, frame.right))(frame);
  }

  private factory(signature: string): LoopFactory {
    const known = this.loops.get(signature);
    if (known !== undefined) return known;
    if (this.loops.size >= maxLoops) this.loops.clear();
    const made = makeLoop(this.rules, signature);
    this.loops.set(signature, made);
    return made;
  }
}

function makeLoop(rules: LoopRules, signature: string): LoopFactory {
  try {
    return generateLoop(rules, signature);
  } catch (error) {
    if (!isCodeForbidden(error)) throw error;
    return undecidedLoop;
  }
}

const codeForbidden = new RangeError('The process forbids generated code.');

/** Leaves each pair to the comparer. */
const undecidedLoop: LoopFactory = (frame) => (left, from) => {
  frame.fail(left, from, 0, codeForbidden);
  return from;
};
