import { isCodeForbidden } from '../../expression/scalar/code-generation';
import { generateLoop, signatureOf } from './loop-source';
import type { LoopFactory, LoopRules, PairFrame, PairLoop } from './types';

/**
 * Bound on the loops of a rule set. A dataset has few kinds of data; one that keeps changing them must not fill the
 * memory.
 */
const maxLoops = 64;

/**
 * Caches the loops of a rule set by the kinds of their columns, so that all batches profit from V8's optimisation
 * of one loop.
 */
export class LoopCache {
  private readonly loops = new Map<string, LoopFactory>();
  private scoringAll: LoopCache | undefined;

  constructor(readonly rules: LoopRules) {}

  /** The loops that score every pair which no condition drops, without a threshold. */
  get unbounded(): LoopCache {
    const { rules } = this;
    const required = rules.required.map(() => false);
    return (this.scoringAll ??= new LoopCache({ ...rules, possibleThreshold: 0, required }));
  }

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
