import { counted, nullHint, type Side } from '@tieout/engine';
import { compositionIgnoresExpression } from '../../rules/rule-sets';
import type { EntryError, UnblockedCount } from './errors';

/** Something about the result of a job or a rule set that is worth checking, and what to do about it. */
export interface ResultWarning {
  code: string;
  message: string;
}

/** A field that a rule set reads and no record of their side has, of several sides none of either. */
export interface AbsentField {
  parameter: string;
  field: string;
  sides: Side[];
  /** True if nothing can be found without it. */
  isNeeded: boolean;
  /** Names of fields with a similar name. */
  near: string[];
}

/** Counts of a completed entry. */
export interface CompletedCounts {
  records: Record<'left' | 'right', number>;
  unblocked: Record<'left' | 'right', UnblockedCount>;
  /** Records that no pair was made of, because a filter of their side refused them or failed. */
  filtered: Record<'left' | 'right', number>;
  /** Number of records on which a filter of their side failed. */
  failedFilters: number;
  /** Numbers of candidate pairs, and of those that failed. */
  pairs: number;
  failedPairs: number;
  /** Evaluations of filters and evidence for a target and a member that failed, and the first of them. */
  failedEvaluations: number;
  relationError: EntryError | null;
  /** Targets whose search for a group ended at its limit. */
  searchEnded: number;
  absentFields: readonly AbsentField[];
  /** True if `jsonataExpr` decides on pairs, and nothing of the kind on groups. */
  ignoresExpression: boolean;
  /** Names of the keys that blocking reads. */
  blockingKeys: readonly string[];
  /** Matches and composites, and what earlier confirmed ones hold. */
  kept: number;
  /** MATCH pairs. */
  matches: number;
  isOneToOne: boolean;
  errors: readonly EntryError[];
}

/** Mends of errors that are common on real data, by code. */
const mends: Readonly<Record<string, string>> = {
  T0410:
    'A function got a value of another type: convert it first, such as $string(left.number) or $number(left.amount)',
  T0411:
    'A function got a value of another type: convert it first, such as $string(left.number) or $number(left.amount)',
  T0412: 'A function got a list with values of another type: convert them first, such as left.lines.$string()',
  T2001: 'Arithmetic needs numbers: convert texts with $number(left.amount)',
  T2002: 'Arithmetic needs numbers: convert texts with $number(right.amount)',
  T2009: 'Only values of one type can be ordered: convert one of them with $string() or $number()',
  T2010: 'Only numbers and texts can be ordered: convert the values with $string() or $number()',
  D3030: 'A text is not a number: remove what is not part of it, or declare the field as an amount',
  amount_unreadable: 'Declare the field as an amount, so that its values are numbers',
  date_unreadable: 'Declare the field as a date, with its dateFormat',
  matcher_result_type: 'A matcher gives true, false, null or a number from 0 to 1',
  result_type: 'The expression gives true, false, null, a number or {score, reasons}',
};
const nullMend =
  'Leave out what is null first, such as left.name ? $contains(right.text, left.name) : false; $exists holds for null';
const otherMend = 'Try the expression on one pair with POST /v1/rule-sets/preview';

const mendOf = ({ code, message }: EntryError): string =>
  message.endsWith(nullHint) ? nullMend : (mends[code] ?? otherMend);

/** Returns what the counts of a completed entry make worth checking. */
export function warningsOf(counts: CompletedCounts): ResultWarning[] {
  const found = resultWarnings(counts);
  const isOpen = counts.kept === 0 && !found.some(({ code }) => code.endsWith('_unblocked'));
  return [
    ...found,
    ...counts.absentFields.filter(({ isNeeded }) => isNeeded || isOpen).map(absentField),
    ...(counts.failedEvaluations > 0 ? [compositionFailed(counts)] : []),
    ...(counts.searchEnded > 0 ? [searchEnded(counts)] : []),
    ...(isCrowded(counts) ? [manyMatches(counts)] : []),
    ...(counts.ignoresExpression ? [compositionIgnoresExpression] : []),
  ];
}

function absentField({ parameter, field, sides, near }: AbsentField): ResultWarning {
  const like = near.length === 0 ? 'name a field that they have' : `do you mean ${near.join(' or ')}?`;
  return {
    code: 'absent_field',
    message: `No ${sides.join(' or ')} record has the field ${field} that ${parameter} reads: ${like}`,
  };
}

function searchEnded(counts: CompletedCounts): ResultWarning {
  return {
    code: 'composition_search_ended',
    message:
      `The search for a group of ${counted(counts.searchEnded, 'target')} ended at its limit without one: see ` +
      'errors. A dateStrategy, matchKeys, a groupByField or a smaller maxGroupSize leaves fewer groups to look through',
  };
}

/** MATCH pairs of a record, on average of the larger side, from which on they are none that people can use. */
const manyPerRecord = 20;

const isCrowded = ({ matches, isOneToOne, records: { left, right } }: CompletedCounts): boolean =>
  !isOneToOne && matches > manyPerRecord * Math.max(left, right);

function manyMatches({ matches, records: { left, right } }: CompletedCounts): ResultWarning {
  return {
    code: 'many_matches',
    message:
      `${matches} pairs of ${left} left and ${right} right records are MATCH: all records that share a frequent ` +
      'value match each other, and all of these pairs are stored. Set params.assignment to one_to_one to keep the ' +
      'best, or add a matcher, a filter or a condition of blocking that tells such records apart',
  };
}

function resultWarnings(counts: CompletedCounts): ResultWarning[] {
  const empty = (['left', 'right'] as const).filter((side) => counts.records[side] === 0);
  if (empty.length > 0) return empty.map(noRecords);
  const filtered = (['left', 'right'] as const).filter((side) => counts.filtered[side] >= counts.records[side]);
  if (filtered.length > 0) return filtered.map((side) => allFiltered(side, counts));
  const unblocked = (['left', 'right'] as const).filter(
    (side) => counts.unblocked[side].count + counts.filtered[side] >= counts.records[side],
  );
  if (unblocked.length > 0) return unblocked.map((side) => allUnblocked(side, counts));
  if (counts.pairs > 0 && counts.failedPairs >= counts.pairs) return [allFailed(counts)];
  if (counts.kept > 0) return [];
  return [counts.pairs === 0 ? noCandidates(counts) : nothingKept(counts)];
}

function noRecords(side: 'left' | 'right'): ResultWarning {
  return {
    code: `no_${side}_records`,
    message: `The ${side} dataset has no records that are ready: send some, or see GET /v1/records?status=failed`,
  };
}

function allFiltered(side: 'left' | 'right', { failedFilters, errors }: CompletedCounts): ResultWarning {
  const first = errors.find((error) => error.expression?.startsWith('filters/') && error[`${side}_record_id`] !== null);
  const cause =
    first === undefined
      ? 'check what the filters that name this side only expect, with POST /v1/rule-sets/preview'
      : `a filter failed on ${counted(failedFilters, 'record')}. ${firstFailure(first)}`;
  return { code: `all_${side}_filtered`, message: `No ${side} record passes params.filters: ${cause}` };
}

const keyMend =
  'check that the expressions of keys and text in params.blocking give a text, a number or a list of them, with the ' +
  'fields of these records';

function allUnblocked(side: 'left' | 'right', { unblocked, errors }: CompletedCounts): ResultWarning {
  const [reason = 'unknown'] = Object.entries(unblocked[side].reasons)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
  if (/_(?:keys?|text)$/.test(reason)) {
    const first = reason.startsWith('failed_')
      ? errors.find((error) => error.expression?.startsWith('blocking/') && error[`${side}_record_id`] !== null)
      : undefined;
    const cause = first === undefined ? keyMend : `an expression failed. ${firstFailure(first)}`;
    return { code: `all_${side}_unblocked`, message: `Blocking could place no ${side} record (${reason}): ${cause}` };
  }
  const part = reason.endsWith('date') ? 'date' : 'amount';
  const key = `${part}Key${side === 'left' ? 'Left' : 'Right'}`;
  return {
    code: `all_${side}_unblocked`,
    message:
      `Blocking could place no ${side} record (${reason}): set params.blocking.${key} to the field that holds the ` +
      `${part}, and declare that field as ${part === 'date' ? 'a date' : 'an amount'}`,
  };
}

function allFailed({ pairs, errors }: CompletedCounts): ResultWarning {
  const all = pairs === 1 ? 'The only pair' : `All ${pairs} pairs`;
  return { code: 'all_pairs_error', message: `${all} failed. ${firstFailure(errors[0])}` };
}

function compositionFailed({ failedEvaluations, relationError }: CompletedCounts): ResultWarning {
  return {
    code: 'composition_error',
    message:
      `${counted(failedEvaluations, 'evaluation')} of filters and evidence for a target and a member failed: a ` +
      'record on which a filter fails is not a member, and a matcher that fails is not evidence. ' +
      firstFailure(relationError),
  };
}

/** Shows an error and how to mend it. */
function firstFailure(first: EntryError | null | undefined): string {
  if (!first) return otherMend;
  const where = first.expression === undefined ? '' : `, ${first.expression}`;
  const message = first.message.replace(/(?<!\.)$/, '.');
  return `The first${where}: ${first.code}: ${message} ${mendOf(first)}`;
}

function noCandidates({ filtered: { left, right }, blockingKeys }: CompletedCounts): ResultWarning {
  const refused =
    left + right === 0 ? '' : `params.filters leave out ${left} left and ${counted(right, 'right record')}: check them`;
  const mends = [comparedKeysMend(blockingKeys), wideningMend(blockingKeys), refused].filter((mend) => mend !== '');
  return {
    code: 'no_candidates',
    message: `No left and right record agree in blocking: ${mends.join('; ')}`,
  };
}

/** Causes of disagreement that values do not show. */
const disagreements: Readonly<Record<string, string>> = {
  keys: 'a number and a text never agree: convert one with $string',
  text: 'words of more than maxDocumentShare of the records are not compared',
};

function comparedKeysMend(keys: readonly string[]): string {
  const own = ['keys', 'text'].filter((key) => keys.includes(key));
  if (own.length === 0) return '';
  const names = own.join() === 'text' ? 'names' : 'name';
  const hints = own.map((key) => disagreements[key]).join('; ');
  return `check that ${own.join(' and ')} ${names} the same thing on both sides (${hints})`;
}

function wideningMend(keys: readonly string[]): string {
  const isUsed = (key: string): boolean => keys.includes(key);
  const amount = ['amountTolerance', 'amountTolerancePercent', 'amountBucketWindow', 'amountBucketSize'].filter(isUsed);
  if (amount.length === 0 && keys.some((key) => key.startsWith('amount'))) amount.push('amountTolerance');
  const date = ['dateToleranceDays', 'dateFromDays', 'dateToDays'].filter(isUsed);
  if (date.length === 0 && isUsed('windowDays') && keys.some((key) => key.startsWith('date'))) date.push('windowDays');
  const wider = [...amount, ...date];
  return wider.length === 0 ? '' : `widen ${wider.join(', ')}`;
}

function nothingKept({ pairs, failedPairs }: CompletedCounts): ResultWarning {
  const failed = failedPairs === 0 ? '' : ` ${failedPairs} of them failed: see errors.`;
  return {
    code: 'nothing_kept',
    message:
      `${pairs === 1 ? 'The only pair does not reach' : `None of ${pairs} pairs reaches`} Tpossible.${failed} ` +
      'Score some pairs with POST /v1/rule-sets/preview, then lower Tpossible or change the matchers and ' +
      'filters that refuse them',
  };
}
