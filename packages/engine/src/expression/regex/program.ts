import { isNullable } from './first';
import type { CharSet } from './char-set';
import type { Assertion, ParsedPattern, Pattern } from './pattern';

/** Instructions of the matcher. `next` is the following one unless said otherwise. */
export type Instruction =
  | { op: 'unit'; unit: number }
  | { op: 'set'; set: CharSet }
  /** Continues at both targets and prefers `first`. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'assert'; is: Assertion }
  /** Notes the place as the start (2n) or end (2n + 1) of group n. */
  | { op: 'save'; slot: number }
  /** Unsets slots from `from` up to `end`. */
  | { op: 'unset'; from: number; end: number }
  /** An iteration of the loop of this level begins, */
  | { op: 'enter'; level: number }
  /** and ends: only one that has read something counts. */
  | { op: 'progress'; level: number }
  | { op: 'match' };

export interface Program {
  instructions: Instruction[];
  /** Groups and the whole match, two each. */
  slotCount: number;
  /** The nesting depth of loops whose body can match nothing. */
  levels: number;
}

/** A larger pattern costs too much memory or too many steps per unit of the text. */
const maxInstructions = 10_000;
const maxLevels = 4;

/** The reason for which a pattern has no program. */
export class NoProgram extends Error {}

/** The instructions that match the pattern without backtracking, after Thompson and Pike. */
export function compileProgram({ root, groupCount }: ParsedPattern): Program {
  const compiler = new Compiler();
  compiler.emit({ op: 'save', slot: 0 });
  compiler.pattern(root);
  compiler.emit({ op: 'save', slot: 1 });
  compiler.emit({ op: 'match' });
  return { instructions: compiler.instructions, slotCount: 2 * (groupCount + 1), levels: compiler.levels };
}

class Compiler {
  readonly instructions: Instruction[] = [];
  levels = 0;
  private level = 0;

  emit<Made extends Instruction>(instruction: Made): Made {
    if (this.instructions.length >= maxInstructions) throw new NoProgram('its counts are too high');
    this.instructions.push(instruction);
    return instruction;
  }

  pattern(pattern: Pattern): void {
    switch (pattern.kind) {
      case 'set':
        return this.set(pattern.set);
      case 'sequence':
        return pattern.items.forEach((item) => this.pattern(item));
      case 'choice':
        return this.choice(pattern.options);
      case 'repeat':
        return this.repeat(pattern);
      case 'group':
        this.emit({ op: 'save', slot: 2 * pattern.index });
        this.pattern(pattern.body);
        this.emit({ op: 'save', slot: 2 * pattern.index + 1 });
        return;
      case 'assertion':
        this.emit({ op: 'assert', is: pattern.is });
        return;
      case 'look':
        throw new NoProgram(pattern.behind ? 'it looks behind' : 'it looks ahead');
      case 'backReference':
        throw new NoProgram('it refers back to a group');
    }
  }

  private set(set: CharSet): void {
    const unit = set.single();
    this.emit(unit === undefined ? { op: 'set', set } : { op: 'unit', unit });
  }

  private choice(options: readonly Pattern[]): void {
    const jumps: { to: number }[] = [];
    options.forEach((option, index) => {
      if (index === options.length - 1) return this.pattern(option);
      const split = this.emit({ op: 'split', first: this.instructions.length + 1, second: 0 });
      this.pattern(option);
      jumps.push(this.emit({ op: 'jump', to: 0 }));
      split.second = this.instructions.length;
    });
    for (const jump of jumps) jump.to = this.instructions.length;
  }

  private repeat(pattern: Extract<Pattern, { kind: 'repeat' }>): void {
    const { body, min, max } = pattern;
    if (max === 0) return;
    for (let count = 0; count < min; count++) this.iteration(pattern);
    const guarded = isNullable(body);
    if (guarded) this.levels = Math.max(this.levels, ++this.level);
    if (this.levels > maxLevels) throw new NoProgram('it repeats what may be empty too many times over');
    if (max === Infinity) this.endless(pattern, guarded);
    else this.upTo(pattern, max - min, guarded);
    if (guarded) this.level--;
  }

  private endless(pattern: Extract<Pattern, { kind: 'repeat' }>, guarded: boolean): void {
    const split = this.branch(pattern.greedy);
    const start = this.instructions.length - 1;
    this.optional(pattern, guarded);
    this.emit({ op: 'jump', to: start });
    this.endBranch(split, pattern.greedy);
  }

  private upTo(pattern: Extract<Pattern, { kind: 'repeat' }>, times: number, guarded: boolean): void {
    const splits: { first: number; second: number }[] = [];
    for (let count = 0; count < times; count++) {
      splits.push(this.branch(pattern.greedy));
      this.optional(pattern, guarded);
    }
    for (const split of splits) this.endBranch(split, pattern.greedy);
  }

  /** The way into the body is the following instruction; the way around is filled in by `endBranch`. */
  private branch(greedy: boolean): { first: number; second: number } {
    const into = this.instructions.length + 1;
    return this.emit(greedy ? { op: 'split', first: into, second: 0 } : { op: 'split', first: 0, second: into });
  }

  private endBranch(split: { first: number; second: number }, greedy: boolean): void {
    if (greedy) split.second = this.instructions.length;
    else split.first = this.instructions.length;
  }

  private optional(pattern: Extract<Pattern, { kind: 'repeat' }>, guarded: boolean): void {
    const level = this.level - 1;
    if (guarded) this.emit({ op: 'enter', level });
    this.iteration(pattern);
    if (guarded) this.emit({ op: 'progress', level });
  }

  private iteration({ body, firstGroup, endGroup }: Extract<Pattern, { kind: 'repeat' }>): void {
    if (firstGroup < endGroup) this.emit({ op: 'unset', from: 2 * firstGroup, end: 2 * endGroup });
    this.pattern(body);
  }
}
