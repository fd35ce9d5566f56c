import { lineEndUnits, wordUnits } from './char-set';
import type { CharSet } from './char-set';
import type { Assertion } from './pattern';
import type { Instruction, Program } from './program';

/** Receives the work done, in steps, and may throw to end it. */
export type Meter = (steps: number) => void;

type Slots = readonly number[];

/** A thread that waits for the next unit, at an instruction that reads one. */
interface Threads {
  count: number;
  at: Int32Array;
  slots: Slots[];
}

const stepsPerReport = 4_096;

/**
 * Matches by following all ways through the program at once, in order of preference: each unit of the text costs at
 * most a step for each instruction (times two for each level of loops over what may be empty). The result is that of
 * a backtracking matcher, since of two threads in the same state only the preferred one can decide.
 */
export class Machine {
  private readonly layout: MachineLayout;

  constructor(program: Program, first: CharSet | undefined) {
    this.layout = {
      instructions: program.instructions,
      slotCount: program.slotCount,
      stateCount: program.instructions.length << program.levels,
      full: (1 << program.levels) - 1,
      first,
    };
  }

  /** Returns the slots of the first match at or after `from`, or undefined. */
  match(text: string, from: number, meter: Meter): Slots | undefined {
    return new Run(this.layout, text, meter).match(from);
  }
}

/** The parts of a machine that every run shares. */
interface MachineLayout {
  instructions: readonly Instruction[];
  slotCount: number;
  full: number;
  stateCount: number;
  first: CharSet | undefined;
}

class Run {
  private readonly instructions: readonly Instruction[];
  private readonly slotCount: number;
  private readonly full: number;
  private readonly first: CharSet | undefined;
  private steps = 0;
  private now: Threads;
  private later: Threads;
  private found: Slots | undefined;
  /** The position at which a state was last followed, by instruction and mask of levels with progress. */
  private readonly seen: Int32Array;
  private readonly seenReading: Int32Array;
  private readonly openAt: number[] = [];
  private readonly openMask: number[] = [];
  private readonly openSlots: Slots[] = [];

  /** The position that the followed threads have reached. */
  private place = 0;

  constructor(
    { instructions, slotCount, full, stateCount, first }: MachineLayout,
    private readonly text: string,
    private readonly meter: Meter,
  ) {
    this.instructions = instructions;
    this.slotCount = slotCount;
    this.full = full;
    this.first = first;
    const threads = (): Threads => ({ count: 0, at: new Int32Array(instructions.length), slots: [] });
    this.now = threads();
    this.later = threads();
    this.seen = new Int32Array(stateCount).fill(-1);
    this.seenReading = new Int32Array(instructions.length).fill(-1);
  }

  match(from: number): Slots | undefined {
    const unset = new Array<number>(this.slotCount).fill(-1);
    for (let place = from; place <= this.text.length; place++) {
      if (this.now.count === 0 && this.found === undefined) place = this.skip(place);
      if (place > this.text.length) break;
      // A match further left wins over one that begins here.
      this.place = place;
      if (this.found === undefined) this.follow(this.now, 0, this.full, unset);
      if (this.now.count === 0 && this.found !== undefined) break;
      this.read(place);
      this.report(stepsPerReport);
    }
    this.report(0);
    return this.found;
  }

  /** The next place where a match can begin. */
  private skip(place: number): number {
    if (this.first === undefined) return place;
    let next = place;
    while (next < this.text.length && !this.first.has(this.text.charCodeAt(next))) next++;
    this.steps += next - place;
    return next < this.text.length ? next : this.text.length + 1;
  }

  private report(minSteps: number): void {
    if (this.steps <= minSteps) return;
    this.meter(this.steps);
    this.steps = 0;
  }

  /** Moves the threads over the unit at `place`. Threads after one that has matched are dropped. */
  private read(place: number): void {
    const { now, later } = this;
    later.count = 0;
    this.place = place + 1;
    const unit = place < this.text.length ? this.text.charCodeAt(place) : -1;
    for (let index = 0; index < now.count; index++) {
      this.steps++;
      const at = now.at[index]!;
      const instruction = this.instructions[at]!;
      if (unit === -1) continue;
      const fits =
        instruction.op === 'unit' ? instruction.unit === unit : instruction.op === 'set' && instruction.set.has(unit);
      if (fits && this.follow(later, at + 1, this.full, now.slots[index]!)) break;
    }
    now.count = 0;
    this.now = later;
    this.later = now;
  }

  /** Follows a thread to all instructions that read, in order of preference; true if it met a match before the last. */
  private follow(threads: Threads, at: number, mask: number, slots: Slots): boolean {
    const { place } = this;
    this.push(at, mask, slots);
    while (this.openAt.length > 0) {
      const next = this.openAt.pop()!;
      const nextMask = this.openMask.pop()!;
      const nextSlots = this.openSlots.pop()!;
      this.steps++;
      const state = next * (this.full + 1) + nextMask;
      if (this.seen[state] === place) continue;
      this.seen[state] = place;
      if (this.step(threads, next, nextMask, nextSlots)) {
        this.openAt.length = 0;
        this.openMask.length = 0;
        this.openSlots.length = 0;
        return true;
      }
    }
    return false;
  }

  private push(at: number, mask: number, slots: Slots): void {
    this.openAt.push(at);
    this.openMask.push(mask);
    this.openSlots.push(slots);
  }

  private step(threads: Threads, at: number, mask: number, slots: Slots): boolean {
    const { place } = this;
    const instruction = this.instructions[at]!;
    switch (instruction.op) {
      case 'unit':
      case 'set':
        this.wait(threads, at, slots, place);
        return false;
      case 'split':
        this.push(instruction.second, mask, slots);
        this.push(instruction.first, mask, slots);
        return false;
      case 'jump':
        this.push(instruction.to, mask, slots);
        return false;
      case 'save':
        this.push(at + 1, mask, slots.with(instruction.slot, place));
        return false;
      case 'unset':
        this.push(at + 1, mask, slots.slice().fill(-1, instruction.from, instruction.end));
        return false;
      case 'assert':
        if (holds(instruction.is, this.text, place)) this.push(at + 1, mask, slots);
        return false;
      case 'enter':
        this.push(at + 1, mask & ~(1 << instruction.level), slots);
        return false;
      case 'progress':
        if ((mask & (1 << instruction.level)) !== 0) this.push(at + 1, mask, slots);
        return false;
      case 'match':
        this.found = slots;
        return true;
    }
  }

  /**
   * After reading a unit, the progress of all threads at an instruction is the same, so one thread per instruction is
   * enough.
   */
  private wait(threads: Threads, at: number, slots: Slots, place: number): void {
    if (this.seenReading[at] === place) return;
    this.seenReading[at] = place;
    threads.at[threads.count] = at;
    threads.slots[threads.count] = slots;
    threads.count++;
  }
}

function holds(assertion: Assertion, text: string, place: number): boolean {
  switch (assertion) {
    case 'textStart':
      return place === 0;
    case 'textEnd':
      return place === text.length;
    case 'lineStart':
      return place === 0 || lineEndUnits.has(text.charCodeAt(place - 1));
    case 'lineEnd':
      return place === text.length || lineEndUnits.has(text.charCodeAt(place));
    case 'word':
      return isWordUnit(text, place - 1) !== isWordUnit(text, place);
    case 'notWord':
      return isWordUnit(text, place - 1) === isWordUnit(text, place);
  }
}

function isWordUnit(text: string, place: number): boolean {
  return place >= 0 && place < text.length && wordUnits.has(text.charCodeAt(place));
}
