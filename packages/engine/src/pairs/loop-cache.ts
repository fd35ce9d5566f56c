import { closureLoop } from './closures';
import { generateLoop, signatureOf } from './generated-loop';
import type { LoopFactory, LoopRules, PairFrame, PairLoop } from './loop';

/** Data of a dataset has few kinds; one that keeps changing them shall not fill the memory with loops. */
const MAX_LOOPS = 64;

/** The loops of a rule set, kept for its next batches: what V8 learns about one serves them all. */
export class LoopCache {
  private readonly loops = new Map<string, LoopFactory>();

  constructor(
    readonly rules: LoopRules,
    private readonly generatesCode: boolean,
  ) {}

  open(frame: PairFrame): PairLoop {
    const signature = this.generatesCode ? signatureOf(frame.left, frame.right) : '';
    return this.factory(signature)(frame);
  }

  private factory(signature: string): LoopFactory {
    const known = this.loops.get(signature);
    if (known !== undefined) return known;
    if (this.loops.size >= MAX_LOOPS) this.loops.clear();
    const made = this.generatesCode ? generateLoop(this.rules, signature) : closureLoop(this.rules);
    this.loops.set(signature, made);
    return made;
  }
}
