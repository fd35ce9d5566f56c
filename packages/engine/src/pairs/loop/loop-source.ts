import { someTookLong } from '../../expression/limits/meter';
import { roundScore } from '../../scoring/scoring';
import { valueCode } from '../columns/codes';
import type { ColumnKind, RowStore } from '../columns/stored-columns';
import { asCondition, isBooleanLike, isNumeric } from './emitted';
import type { Emitted } from './emitted';
import { ExpressionEmitter } from './expression-emitter';
import type { LoopFactory, LoopRules } from './types';
import type { PairColumn } from '../plan/nodes';
import * as operations from './operations';
import type { CostClass, PairPlan, PlannedExpression } from '../plan/pair-plan';
import { maxTableMatchers, scoreReach, scoreTables } from './score-tables';
import type { ScoreRules } from './score-tables';
import { noDay } from '../../values/calendar';

/** The kinds of all columns, which is what a loop is made for. */
export function signatureOf(left: RowStore, right: RowStore): string {
  return [left, right].map(({ columns }) => columns.map(({ kind }) => kind).join('')).join('|');
}

/** Ends a pair that is NO_MATCH, in the loop. */
const dropPair = '{ dropped++; continue; }';

/** The matchers of a loop; where there are more they are in functions of a few each: V8 optimises no function of any length. */
const maxMatchersInLoop = 64;
const matchersPerPart = 32;

/** What generated source calls by name. */
const loopLibrary = {
  ...operations,
  someTookLong,
  roundScore,
  noDay: noDay,
  NO_CODE: valueCode.NONE,
  UNKNOWN: valueCode.UNKNOWN,
};

/** Generates the loop over pairs whose columns have the kinds of a signature. */
export function generateLoop(rules: LoopRules, signature: string): LoopFactory {
  const { source, data } = writeLoop(rules, signature);
  // Fixed words and numbered names: see Emitter.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const generated = new Function('data', 'library', source) as (
    data: readonly unknown[],
    library: typeof loopLibrary,
  ) => LoopFactory;
  return generated(data, loopLibrary);
}

/** The text of a loop, and the data that it names by number. */
export function writeLoop(rules: LoopRules, signature: string): { source: string; data: readonly unknown[] } {
  const [left = '', right = ''] = signature.split('|');
  const kinds = { left, right };
  const writer = new LoopWriter(rules, ({ side, index }) => kinds[side].charAt(index) as ColumnKind);
  const { source, data } = writer.write();
  const lines = [
    `'use strict';`,
    `const { ${Object.keys(loopLibrary).join(', ')} } = library;`,
    ...data.map((_, index) => `const k${index} = data[${index}];`),
    source,
  ];
  return { source: lines.join('\n'), data };
}

class LoopWriter {
  private readonly emitter: ExpressionEmitter;
  private readonly body: string[] = [];
  /** Functions that the body calls. */
  private readonly parts: string[] = [];
  private stage = 0;
  /** The matchers as the loop evaluates them. */
  private order: readonly number[] = [];

  constructor(
    private readonly rules: LoopRules,
    kinds: (column: PairColumn) => ColumnKind,
  ) {
    this.emitter = new ExpressionEmitter(kinds);
  }

  write(): { source: string; data: readonly unknown[] } {
    const { filters, main, matchers } = this.rules.plan;
    this.writeWindow();
    this.writeTolerance();
    for (const filter of filters) this.writeGate(filter);
    if (matchers === null) this.writeExpression(main);
    else {
      if (main !== null) this.writeGate(main);
      this.writeMatchers(matchers, filters.length + (main === null ? 0 : 1));
    }
    return {
      source: loopSource(this.rules.plan, this.body.join('\n'), this.parts, this.emitter),
      data: this.emitter.data,
    };
  }

  private slot(value: unknown): string {
    return this.emitter.slot(value);
  }

  private dropUnless(condition: string): void {
    this.body.push(`if (!(${condition})) ${dropPair}`);
  }

  private writeWindow(): void {
    if (this.rules.windowDays === undefined) return;
    this.body.push('const rightDay = rightDays[right];');
    this.dropUnless(
      `leftDay !== noDay && rightDay !== noDay && Math.abs(leftDay - rightDay) <= ${this.slot(this.rules.windowDays)}`,
    );
  }

  private writeTolerance(): void {
    if (this.rules.withinTolerance === null) return;
    this.body.push('const units = rightUnits[right];');
    this.dropUnless(
      `leftUnit === leftUnit && units === units && ${this.slot(this.rules.withinTolerance)}(leftUnit, units)`,
    );
  }

  private emit(planned: PlannedExpression): Emitted {
    this.body.push(`stage = ${this.stage};`);
    this.stage++;
    const result = this.emitter.emit(planned.root, true);
    this.body.push(this.emitter.takeLines());
    return result;
  }

  private writeGate(gate: PlannedExpression): void {
    this.dropUnless(asCondition(this.emit(gate), 'passes'));
  }

  private writeExpression(main: PlannedExpression | null): void {
    const { scale } = this.rules;
    if (main === null) {
      this.keep('0', `keeper.keep(left, right, score);`);
      return;
    }
    const result = this.emit(main);
    if (isBooleanLike(result)) {
      this.keep(`${asCondition(result, 'passes')} ? ${scale} : 0`, 'keeper.keep(left, right, score);');
    } else if (isNumeric(result)) {
      // NaN, which stands for nothing, is not above 0.
      const clamped = `${result.code} > 0 ? Math.min(${result.code}, ${scale}) : 0`;
      this.keep(`roundScore(${clamped}, ${scale})`, 'keeper.keep(left, right, score);');
    } else {
      this.body.push(`const reading = expressionScore(${result.code}, ${scale});`);
      this.keep('reading.score', 'keeper.reasons = reading.reasons; keeper.keep(left, right, score);');
    }
  }

  private keep(score: string, statement: string): void {
    this.body.push(`const score = ${score};`);
    this.dropUnless(`!(score < ${this.slot(this.rules.possibleThreshold)})`);
    this.body.push(statement);
  }

  private writeMatchers(matchers: readonly PlannedExpression[], firstStage: number): void {
    const { order: given, costs } = this.rules;
    const readings = inOrderOfCost(
      given.map((index) => this.readMatcher(matchers[index] as PlannedExpression, firstStage, index)),
      costs,
    );
    this.order = readings.map(({ index }) => index);
    const onlyBits = matchers.length <= maxTableMatchers && readings.every(({ result }) => isBooleanLike(result));
    const inParts = matchers.length > maxMatchersInLoop;
    const scores = onlyBits ? this.tableScores() : inParts ? this.scoresInParts() : this.computedScores();
    for (const [step, { index, result, lines }] of readings.entries()) {
      this.body.push(lines);
      scores.add(step, index, result);
    }
    scores.keep();
  }

  private readMatcher(matcher: PlannedExpression, firstStage: number, index: number): MatcherReading {
    this.stage = firstStage + index;
    const outer = this.body.splice(0);
    this.emitter.takeFallible();
    const result = this.emit(matcher);
    const lines = this.body.splice(0).join('\n');
    this.body.push(...outer);
    const isFallible = this.emitter.takeFallible() || !(isBooleanLike(result) || isNumeric(result));
    return { index, result, lines, isFallible };
  }

  private get scoreRules(): ScoreRules {
    return { ...this.rules, order: this.order };
  }

  /** Matchers that all say true or false: every outcome is in a table. */
  private tableScores(): ScoreWriter {
    const { scores, outOfReach } = scoreTables(this.scoreRules);
    const table = this.slot(scores);
    this.body.push('let bits = 0;');
    /** The outcomes that get so far. */
    let alive = [0];
    return {
      add: (step, index, result) => {
        const condition = asCondition(result, 'passes');
        const bit = 2 ** index;
        const reach = outOfReach[step];
        const survives = (bits: number): boolean => reach?.[bits] !== 1;
        const without = this.rules.required[index] === true ? [] : alive.filter(survives);
        const withBit = alive.map((bits) => bits + bit);
        if (without.length === 0) {
          this.dropUnless(condition);
          this.body.push(`bits |= ${bit};`);
        } else {
          this.body.push(`if (${condition}) bits |= ${bit};`);
        }
        const reaching = [...without, ...withBit.filter(survives)];
        if (
          reaching.length < without.length + withBit.length ||
          (without.length > 0 && without.length < alive.length)
        ) {
          this.dropUnless(`${this.slot(reach)}[bits] === 0`);
        }
        alive = reaching;
      },
      keep: () => {
        this.keep(`${table}[bits]`, 'keeper.keepBits(left, right, score, bits);');
      },
    };
  }

  /** Matchers that may abstain or say how much: sums as they are evaluated, for the reach, and those of `weigh` in the end. */
  private computedScores(): ScoreWriter {
    const {
      order,
      rules: { weights },
    } = this;
    const weightSlots = weights.map((weight) => this.slot(weight));
    const vote = this.voteWriter(weightSlots, dropPair);
    const inDefinitionOrder = order.every((index, step) => index === step);
    this.body.push('let weight = 0; let weighted = 0;');
    return {
      add: (step, index, result) => {
        this.body.push(vote(step, index, result));
      },
      keep: () => {
        if (!inDefinitionOrder)
          this.body.push('weight = 0; weighted = 0;', ...weightSlots.map((slot, index) => sumLine(`v${index}`, slot)));
        this.keepSums(weights.map((_, index) => `keeper.values[${index}] = v${index};`).join(' '));
      },
    };
  }

  /** The same for many matchers. */
  private scoresInParts(): ScoreWriter {
    const { weights } = this.rules;
    const vote = this.voteWriter(
      weights.map((weight) => this.slot(weight)),
      'return false;',
    );
    this.body.push('weight = 0; weighted = 0;');
    const before = this.body.splice(0);
    const endPart = (): void => {
      const name = `part${this.parts.length}`;
      this.parts.push(`function ${name}(left, right) {\n${this.body.splice(0).join('\n')}\nreturn true;\n}`);
      before.push(`if (!${name}(left, right)) ${dropPair}`);
    };
    return {
      add: (step, index, result) => {
        this.body.push(vote(step, index, result), `values[${index}] = v${index};`);
        if ((step + 1) % matchersPerPart === 0) endPart();
      },
      keep: () => {
        endPart();
        const all = this.slot(weights);
        this.body.push(
          ...before,
          'weight = 0; weighted = 0;',
          `for (let index = 0; index < ${weights.length}; index++) { const value = values[index]; ${sumLine('value', `${all}[index]`)} }`,
        );
        this.keepSums('');
      },
    };
  }

  /** Writes the reading of a matcher into `v`; a pair that it decides leaves. */
  private voteWriter(
    weightSlots: readonly string[],
    leave: string,
  ): (step: number, index: number, result: Emitted) => string {
    const { scale, required } = this.rules;
    const reach = scoreReach(this.scoreRules);
    const limit = this.slot(reach.limit);
    return (step, index, result) => {
      const lines = [`const v${index} = ${shareOf(result)};`];
      if (required[index] === true) lines.push(`if (!(v${index} > 0)) ${leave}`);
      lines.push(sumLine(`v${index}`, weightSlots[index] ?? ''));
      if (step < weightSlots.length - 1) {
        const open = this.slot(reach.openWeights[step]);
        lines.push(
          `if ((weight + ${open} === 0 ? 0 : (${scale} * (weighted + ${open})) / (weight + ${open})) < ${limit}) ${leave}`,
        );
      }
      return lines.join('\n');
    };
  }

  private keepSums(statement: string): void {
    const { scale } = this.rules;
    this.keep(
      `weight === 0 ? 0 : roundScore((${scale} * weighted) / weight, ${scale})`,
      `${statement} keeper.keep(left, right, score);`,
    );
  }
}

/** What the loop does for a matcher. */
interface MatcherReading {
  index: number;
  result: Emitted;
  lines: string;
  /** Whether evaluating it or reading its result may throw. */
  isFallible: boolean;
}

/**
 * The cheapest first, as long as no decision depends on it. A pair that is decided before a matcher fails is no error:
 * before each matcher that may throw come the same ones as given, and those between two such are in any order.
 */
function inOrderOfCost(given: readonly MatcherReading[], costs: readonly CostClass[]): MatcherReading[] {
  const costOf = ({ index }: MatcherReading): CostClass => costs[index] ?? 0;
  const ordered: MatcherReading[] = [];
  let free: MatcherReading[] = [];
  const settleFree = (): void => {
    ordered.push(...free.sort((one, other) => costOf(one) - costOf(other)));
    free = [];
  };
  for (const reading of given) {
    if (reading.isFallible) {
      settleFree();
      ordered.push(reading);
    } else free.push(reading);
  }
  settleFree();
  return ordered;
}

/** NaN abstains. */
function sumLine(value: string, weight: string): string {
  return `if (${value} === ${value}) { weight += ${weight}; weighted += ${weight} * ${value}; }`;
}

interface ScoreWriter {
  /** Reads the result of a matcher; a pair that cannot reach the threshold any more is dropped. */
  add(step: number, matcher: number, result: Emitted): void;
  keep(): void;
}

/** A matcher's result as a share of 0..1, NaN where it abstains. */
function shareOf(result: Emitted): string {
  if (isBooleanLike(result)) return `${asCondition(result, 'passes')} ? 1 : 0`;
  // NaN stands for nothing here, which is no share.
  if (isNumeric(result)) return `${result.code} > 0 ? Math.min(${result.code}, 1) : 0`;
  return `${result.code} === true ? 1 : ${result.code} === false || ${result.code} === undefined ? 0 : ${result.code} === null ? NaN : matcherShare(${result.code})`;
}

/** What parts share with the loop is declared around both; otherwise in the loop, where it costs least. */
function loopSource(
  { columns, needsRecords }: PairPlan,
  body: string,
  parts: readonly string[],
  { mayTakeLong, usedTrigrams: partsNamed }: ExpressionEmitter,
): string {
  const each = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const isShared = parts.length > 0;
  const own = isShared ? '' : 'const ';
  return `
return function open(frame) {
  const leftStored = frame.left.columns;
  const rightStored = frame.right.columns;
  const leftDays = frame.left.days;
  const rightDays = frame.right.days;
  const leftUnits = frame.left.units;
  const rightUnits = frame.right.units;
  const leftRecords = frame.left.records;
  const rightRecords = frame.right.records;
  const keeper = frame.keeper;
  const input = { left: undefined, right: undefined };
  ${each(columns.left.length, (index) => `const l${index} = leftStored[${index}].data;`)}
  ${each(columns.right.length, (index) => `const r${index} = rightStored[${index}].data;`)}
  ${[...partsNamed.left].map((index) => `const p${index} = leftStored[${index}].trigrams();`).join('\n')}
  ${[...partsNamed.right].map((index) => `const q${index} = rightStored[${index}].trigrams();`).join('\n')}
  ${isShared ? 'const values = keeper.values; let stage = 0; let weight = 0; let weighted = 0;' : ''}
  ${isShared ? each(columns.left.length, (index) => `let a${index};`) : ''}
  ${parts.join('\n')}
  return function compare(left, from, to) {
    let dropped = 0;
    ${isShared ? 'stage = 0;' : 'let stage = 0;'}
    let right = from;
    const leftDay = leftDays[left];
    const leftUnit = leftUnits[left];
    ${needsRecords ? 'input.left = leftRecords[left];' : ''}
    ${each(columns.left.length, (index) => `${own}a${index} = l${index}[left];`)}
    for (;;) {
      try {
        for (; right < to${mayTakeLong ? ' && !someTookLong()' : ''}; right++) {
          ${body}
        }
        frame.drop(dropped);
        return right;
      } catch (thrown) {
        if (!frame.fail(left, right, stage, thrown)) {
          frame.drop(dropped);
          return right;
        }
        right++;
      }
    }
  };
};`;
}
