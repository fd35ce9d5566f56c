import { someTookLong } from '../../expression/limits/meter';
import { roundScore } from '../../scoring/scoring';
import { noDay } from '../../values/calendar';
import { valueCode } from '../columns/codes';
import type { RowStore } from '../columns/row-store';
import type { ColumnKind } from '../columns/stored-columns';
import type { PairPlan, PlannedExpression } from '../plan/pair-plan';
import { asCondition, isBooleanLike, isNumeric } from './emitted';
import { LoopBody } from './loop-body';
import * as operations from './operations';
import { writeScore } from './score-source';
import type { MatcherSource } from './score-source';
import type { LoopFactory, LoopRules } from './types';

/** Returns the kinds of all columns, which a loop is generated for. */
export function signatureOf(left: RowStore, right: RowStore): string {
  return [left, right].map(({ columns }) => columns.map(({ kind }) => kind).join('')).join('|');
}

/** Names that the generated source uses. */
const loopLibrary = {
  ...operations,
  someTookLong,
  roundScore,
  noDay,
  uncoded: valueCode.uncoded,
  unknownCode: valueCode.unknown,
};

/** Generates the loop over pairs whose columns have the kinds of a signature. */
export function generateLoop(rules: LoopRules, signature: string): LoopFactory {
  const { source, data } = writeLoop(rules, signature);
  // The source consists of fixed words and numbered names: see ExpressionEmitter.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const generated = new Function('data', 'library', source) as (
    data: readonly unknown[],
    library: typeof loopLibrary,
  ) => LoopFactory;
  return generated(data, loopLibrary);
}

/** Writes the text of a loop, and the data that it names by number. */
export function writeLoop(rules: LoopRules, signature: string): { source: string; data: readonly unknown[] } {
  const [left = '', right = ''] = signature.split('|');
  const kinds = { left, right };
  const body = new LoopBody(rules, ({ side, index }) => kinds[side].charAt(index) as ColumnKind);
  writeBody(body, rules);
  const { data } = body.emitter;
  const lines = [
    `'use strict';`,
    `const { ${Object.keys(loopLibrary).join(', ')} } = library;`,
    ...data.map((_, index) => `const k${index} = data[${index}];`),
    loopSource(rules.plan, body),
  ];
  return { source: lines.join('\n'), data };
}

/** Writes the steps of a pair in their order: window, tolerance, filters, gate, and the matchers or the expression. */
function writeBody(body: LoopBody, rules: LoopRules): void {
  const { filters, main, matchers } = rules.plan;
  writeWindow(body, rules);
  writeTolerance(body, rules);
  for (const filter of filters) body.emitGate(filter);
  if (matchers === null) {
    writeExpression(body, rules, main);
    return;
  }
  if (main !== null) body.emitGate(main);
  const firstMatcher = body.nextExpression;
  const sources = rules.order.map((index) => {
    body.nextExpression = firstMatcher + index;
    return matcherSource(body, matchers[index] as PlannedExpression, index);
  });
  writeScore(body, rules, sources);
}

function writeWindow(body: LoopBody, { windowDays }: LoopRules): void {
  if (windowDays === undefined) return;
  body.push('const rightDay = rightDays[right];');
  const isWithin = `Math.abs(leftDay - rightDay) <= ${body.slot(windowDays)}`;
  body.dropUnless(`leftDay !== noDay && rightDay !== noDay && ${isWithin}`);
}

function writeTolerance(body: LoopBody, { withinTolerance }: LoopRules): void {
  if (withinTolerance === null) return;
  body.push('const units = rightUnits[right];');
  body.dropUnless(`leftUnit === leftUnit && units === units && ${body.slot(withinTolerance)}(leftUnit, units)`);
}

function writeExpression(body: LoopBody, { scale }: LoopRules, main: PlannedExpression | null): void {
  if (main === null) {
    body.keep('0', `keeper.keep(left, right, score);`);
    return;
  }
  const result = body.emit(main);
  if (isBooleanLike(result)) {
    body.keep(`${asCondition(result, 'passes')} ? ${scale} : 0`, 'keeper.keep(left, right, score);');
  } else if (isNumeric(result)) {
    // NaN, the missing value, is not above 0.
    const clamped = `${result.code} > 0 ? Math.min(${result.code}, ${scale}) : 0`;
    body.keep(`roundScore(${clamped}, ${scale})`, 'keeper.keep(left, right, score);');
  } else {
    body.push(`const reading = expressionScore(${result.code}, ${scale});`);
    body.keep('reading.score', 'keeper.reasons = reading.reasons; keeper.keep(left, right, score);');
  }
}

/** Writes a matcher apart from the body, so that matchers can be reordered. */
function matcherSource(body: LoopBody, matcher: PlannedExpression, index: number): MatcherSource {
  const outer = body.takeLines();
  body.emitter.takeFallible();
  const result = body.emit(matcher);
  const lines = body.takeLines().join('\n');
  body.push(...outer);
  const isFallible = body.emitter.takeFallible() || !(isBooleanLike(result) || isNumeric(result));
  return { index, result, lines, isFallible };
}

/** Writes the loop around its body. Variables that parts share are declared outside of the loop, others inside. */
function loopSource({ columns, needsRecords }: PairPlan, body: LoopBody): string {
  const { parts } = body;
  const { mayTakeLong, usedTrigrams } = body.emitter;
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
  ${[...usedTrigrams.left].map((index) => `const p${index} = leftStored[${index}].trigrams();`).join('\n')}
  ${[...usedTrigrams.right].map((index) => `const q${index} = rightStored[${index}].trigrams();`).join('\n')}
  ${isShared ? 'const values = keeper.values; let expression = 0; let weight = 0; let weighted = 0;' : ''}
  ${isShared ? each(columns.left.length, (index) => `let a${index};`) : ''}
  ${parts.join('\n')}
  return function compare(left, from, to) {
    let dropped = 0;
    ${isShared ? 'expression = 0;' : 'let expression = 0;'}
    let right = from;
    const leftDay = leftDays[left];
    const leftUnit = leftUnits[left];
    ${needsRecords ? 'input.left = leftRecords[left];' : ''}
    ${each(columns.left.length, (index) => `${own}a${index} = l${index}[left];`)}
    for (;;) {
      try {
        for (; right < to${mayTakeLong ? ' && !someTookLong()' : ''}; right++) {
          ${body.takeLines().join('\n')}
        }
        frame.drop(dropped);
        return right;
      } catch (thrown) {
        if (!frame.fail(left, right, expression, thrown)) {
          frame.drop(dropped);
          return right;
        }
        right++;
      }
    }
  };
};`;
}
