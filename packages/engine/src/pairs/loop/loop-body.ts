import type { LoopRules } from './types';
import { asCondition } from './emitted';
import type { Emitted } from './emitted';
import { ExpressionEmitter } from './expression-emitter';
import type { ColumnKind } from '../columns/stored-columns';
import type { PairColumn } from '../plan/nodes';
import type { PlannedExpression } from '../plan/pair-plan';

/** Ends a pair that is NO_MATCH. */
export const dropPair = '{ dropped++; continue; }';

/** Collects the source of the loop's body, statement by statement. */
export class LoopBody {
  readonly emitter: ExpressionEmitter;
  /** Functions that the body calls. */
  readonly parts: string[] = [];
  /** Index of the next expression, as `expressionsInOrder` numbers them. */
  nextExpression = 0;
  private lines: string[] = [];

  constructor(
    private readonly rules: Pick<LoopRules, 'possibleThreshold'>,
    kinds: (column: PairColumn) => ColumnKind,
  ) {
    this.emitter = new ExpressionEmitter(kinds);
  }

  push(...lines: string[]): void {
    this.lines.push(...lines);
  }

  /** Returns the lines so far and forgets them. */
  takeLines(): string[] {
    return this.lines.splice(0);
  }

  /** Names a value that the loop reads as data. */
  slot(value: unknown): string {
    return this.emitter.slot(value);
  }

  dropUnless(condition: string): void {
    this.push(`if (!(${condition})) ${dropPair}`);
  }

  emit(planned: PlannedExpression): Emitted {
    this.push(`expression = ${this.nextExpression};`);
    this.nextExpression++;
    const result = this.emitter.emit(planned.root, true);
    this.push(this.emitter.takeLines());
    return result;
  }

  /** Drops pairs for which an expression is not true. */
  emitGate(gate: PlannedExpression): void {
    this.dropUnless(asCondition(this.emit(gate), 'passes'));
  }

  /** Keeps pairs whose score reaches the threshold. */
  keep(score: string, statement: string): void {
    this.push(`const score = ${score};`);
    this.dropUnless(`!(score < ${this.slot(this.rules.possibleThreshold)})`);
    this.push(statement);
  }
}
