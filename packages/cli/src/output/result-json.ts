import { amountToNumber } from '@tieout/engine';
import type { Reconciled } from '../compare/reconcile';
import { noteOf, openRecords, plainValue, recordsOf, sortedPairs } from './result-tables';
import { summaryOf } from './summary';

const chunkCharacters = 1 << 16;

/** Writes the result as one JSON object, record by record. */
export function* resultJson(
  result: Reconciled,
  rules: { source: string; ruleSet: unknown },
): Generator<string, void, void> {
  const { rows: _rows, warnings, ...summary } = summaryOf(result);
  const head = { summary, warnings, rules };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`;
  yield* list('matches', matches(result), '  ');
  yield ',\n';
  yield* list('groups', groups(result), '  ');
  yield ',\n  "open": {\n';
  yield* list('left', open(result, 'left'), '    ');
  yield ',\n';
  yield* list('right', open(result, 'right'), '    ');
  yield '\n  }\n}\n';
}

/** Writes a named list, several items at a time. */
function* list(name: string, items: Iterable<object>, indent: string): Generator<string, void, void> {
  let pending = `${indent}"${name}": [`;
  let isFirst = true;
  for (const item of items) {
    pending += `${isFirst ? '' : ','}\n${indent}  ${JSON.stringify(item)}`;
    isFirst = false;
    if (pending.length < chunkCharacters) continue;
    yield pending;
    pending = '';
  }
  yield `${pending}${isFirst ? '' : `\n${indent}`}]`;
}

function* matches(result: Reconciled): Generator<object, void, void> {
  const { left, right, pairs } = result;
  for (const pair of sortedPairs(result)) {
    const [one, other] = [pairs.left[pair] as number, pairs.right[pair] as number];
    const note = noteOf(result, pair);
    yield {
      decision: pairs.isMatch(pair) ? 'MATCH' : 'POSSIBLE',
      score: pairs.score[pair],
      ...(note === null ? {} : { note }),
      left: { line: left.line[one], values: plainValue(left, one) },
      right: { line: right.line[other], values: plainValue(right, other) },
    };
  }
}

function* groups(result: Reconciled): Generator<object, void, void> {
  for (const group of result.composites) {
    const [target, ...members] = recordsOf(group).map(({ side, seq }) => ({
      side,
      line: result[side].line[seq],
      values: plainValue(result[side], seq),
    }));
    yield {
      decision: group.decision,
      status: group.status,
      score: group.score,
      direction: group.direction,
      target_amount: amountToNumber(group.targetUnits, result.composedScale),
      composed_amount: amountToNumber(group.composedUnits, result.composedScale),
      target,
      members,
      explanation: group.explanation,
    };
  }
}

function* open(result: Reconciled, side: 'left' | 'right'): Generator<object, void, void> {
  for (const { seq, line, reason } of openRecords(result, side))
    yield { line, reason, values: plainValue(result[side], seq) };
  for (const { line, message } of result[side].rejected) yield { line, reason: 'rejected', message };
}
