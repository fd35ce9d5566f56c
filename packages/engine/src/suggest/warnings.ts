import { compileBlockingRules } from '../blocking/rules';
import type { RuleSetParams } from '../definition/types';
import { counted } from '../values/counted';
import { readPath } from '../values/json';
import type { JsonObject, Side } from '../values/types';
import {
  canBeAmounts,
  countEach,
  dayAt,
  filledPaths,
  frequentFirst,
  isNamed,
  isDateText,
  maxFields,
  maxTextLength,
  nestedPaths,
  numberAt,
  spread,
  textAt,
} from './fields';
import { fewRecords, isFew, type SuggestInput, type Suggestion, type SuggestionWarning } from './types';

const sampledRecords = 500;
const minPrecision = 0.9;
const minRecall = 0.5;
const minLinkable = 0.5;
/** Blocking leaves out a larger share of a side with a word only. */
const maxUnblocked = 0.02;
/** Values of fields that hold the same agree at least this much. */
const minOverlap = 0.1;
/** Min share of left dates that lie in the period of the right dates. */
const minCommonTime = 0.5;
/** A field is mixed if this share of its values is of a kind, but not all: see `kindOf`. */
const mixed = { min: 0.5, max: 0.97 } as const;
/** Fields that a message names. */
const maxNamed = 5;

/** Returns what makes a suggestion doubtful, and what settles it. */
export function suggestionWarnings(input: SuggestInput, suggestion: Suggestion): SuggestionWarning[] {
  const sample = { left: spread(input.left, sampledRecords), right: spread(input.right, sampledRecords) };
  const ofFields = (['left', 'right'] as const).flatMap((side) => fieldWarnings(side, sample[side]));
  if (!suggestion.connected) return [...few(input), ...ofFields];
  return [
    ...few(input),
    ...quality(suggestion, input),
    ...byTextsAlone(suggestion.ruleSet.params),
    ...(['left', 'right'] as const).flatMap((side) => unblocked(side, sample[side], suggestion.ruleSet.params, input)),
    ...suggestion.fields.flatMap(({ left, right, kind, overlap }) => [
      ...(overlap < minOverlap ? [hardlyAlike(left, right, overlap)] : []),
      ...(kind === 'date' ? shortOverlap(sample, left, right) : []),
    ]),
    ...ofFields,
  ];
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;
const named = (paths: readonly string[]): string =>
  paths.slice(0, maxNamed).join(', ') + (paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '');

function few({ totals }: SuggestInput): SuggestionWarning[] {
  const count = Math.min(totals.left, totals.right);
  if (count === 0 || !isFew({ totals })) return [];
  const message =
    `A side has ${counted(count, 'record')}, and below ${fewRecords} what is learnt of them is a guess: check the ` +
    'matched pairs, and the POSSIBLE ones, before you rely on it';
  return [{ code: 'few_records', message }];
}

function quality(
  { expected, unlinkable, matchers }: Extract<Suggestion, { connected: true }>,
  { isOneSide = false, isOfFiles = false }: SuggestInput,
): SuggestionWarning[] {
  const { precision, recall } = expected;
  const found: SuggestionWarning[] = [];
  if (precision < minPrecision)
    found.push({
      code: 'low_precision',
      message:
        `About ${percent(1 - precision)} of the matches are expected to be wrong: ` +
        (isOfFiles
          ? 'raise Tmatch in the rule file'
          : 'choose a higher Tmatch from curve, or answer questions and train the rule set'),
    });
  if (recall < minRecall)
    found.push({
      code: 'low_recall',
      message:
        `Of the pairs that may belong together, ${percent(recall)} reach Tmatch: ` +
        (isOfFiles
          ? 'lower it in the rule file'
          : 'choose a lower one from curve, or answer questions and train the rule set'),
    });
  if (!isOneSide && 1 - unlinkable < minLinkable)
    found.push({
      code: 'few_partners',
      message:
        `Only ${percent(1 - unlinkable)} of the left records seem to have a partner: check that both sides are of ` +
        'the same time and accounts, and that fields names what corresponds',
    });
  const strong = matchers.filter(({ strength }) => strength >= 1);
  if (strong.length <= 1)
    found.push({
      code: 'one_field_decides',
      message:
        `All rests on ${strong[0] ? JSON.stringify(strong[0].name) : 'comparisons that say little'}: a second field ` +
        'that both sides hold would confirm it',
    });
  return found;
}

/** Warns where only similar texts find pairs: what shares no text is in no estimate. */
function byTextsAlone({ blocking = {} }: RuleSetParams): SuggestionWarning[] {
  const rules = blocking.rules ?? [blocking];
  if (!rules.every(({ text }) => text !== undefined)) return [];
  const message =
    'Pairs are found by similar texts alone: expected recall does not count partners whose texts have no word in ' +
    'common, or have many others as similar. Add a rule to blocking by amounts, dates or keys that partners share, ' +
    'if there are any';
  return [{ code: 'texts_alone', message }];
}

/** Warns of records that no rule of blocking can place, for the reason of most. */
function unblocked(
  side: Side,
  sample: readonly JsonObject[],
  params: RuleSetParams,
  { isOfFiles = false }: SuggestInput,
): SuggestionWarning[] {
  const { blocking = {} } = params;
  const rules = compileBlockingRules({ ...params, blocking: { rules: blocking.rules ?? [blocking] } });
  const reasons = sample.flatMap((record) => {
    const placing = rules?.place(side, record);
    if (placing === undefined || placing instanceof Promise || placing.places.some((place) => place !== null))
      return [];
    return placing.reason ?? [];
  });
  const share = reasons.length / Math.max(1, sample.length);
  if (share <= maxUnblocked) return [];
  const [reason = ''] = frequentFirst(countEach(reasons), 1);
  const message =
    `${percent(share)} of the ${side} records hold nothing that blocking can read (${reason}), so that they ` +
    'find no partner: add a rule to blocking that reads another field' +
    (isOfFiles ? '' : ', or declare this one so that it is read');
  return [{ code: 'unblocked_records', message }];
}

const hardlyAlike = (left: string, right: string, overlap: number): SuggestionWarning => ({
  code: 'fields_hardly_alike',
  message:
    `left.${left} and right.${right} are compared, but their values agree by ${percent(overlap)}: check that they ` +
    'hold the same, and leave out the matcher that compares them if not',
});

function shortOverlap(sample: Record<Side, readonly JsonObject[]>, left: string, right: string): SuggestionWarning[] {
  const daysOf = (side: Side, path: string): number[] =>
    sample[side].map((record) => dayAt(record, path)).filter((day) => !Number.isNaN(day));
  const [lefts, rights] = [daysOf('left', left), daysOf('right', right).sort((one, other) => one - other)];
  const [from, to] = [rights[0], rights.at(-1)];
  if (lefts.length === 0 || from === undefined || to === undefined) return [];
  const share = lefts.filter((day) => day >= from && day <= to).length / lefts.length;
  if (share >= minCommonTime) return [];
  const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const message =
    `${percent(share)} of the dates in left.${left} lie between ${date(from)} and ${date(to)}, the first and last in ` +
    `right.${right}: compare records of the same time, or days and months may be exchanged (read the file ` +
    'with its dateFormat)';
  return [{ code: 'short_overlap', message }];
}

function fieldWarnings(side: Side, sample: readonly JsonObject[]): SuggestionWarning[] {
  const paths = filledPaths(sample);
  const valuesOf = (path: string): JsonObject[] => sample.filter((record) => textAt(record, path) !== '');
  const constant = paths.filter((path) => {
    const texts = valuesOf(path).map((record) => textAt(record, path));
    return texts.length > 1 && new Set(texts).size === 1;
  });
  const cut = paths.filter((path) =>
    sample.some((record) => {
      const value = readPath(record, path);
      return typeof value === 'string' && value.length >= maxTextLength;
    }),
  );
  const unnamed = unnamedKeys(sample);
  const nested = nestedPaths(sample);
  return [
    ...(unnamed.length === 0 ? [] : [unread(side, unnamed)]),
    ...(nested.length === 0 ? [] : [unreadNested(side, nested)]),
    ...(paths.length <= maxFields ? [] : [manyFields(side, paths.length)]),
    ...(constant.length === 0 ? [] : [oneValue(side, constant)]),
    ...(cut.length === 0 ? [] : [cutTexts(side, cut)]),
    ...paths.flatMap((path) => mixedValues(side, path, valuesOf(path))),
  ].slice(0, 2 * maxNamed);
}

/** Returns keys of records, and of objects in them, that no path names. */
function unnamedKeys(sample: readonly JsonObject[]): string[] {
  const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
  const unnamedIn = (value: object, isOfRecord: boolean): string[] =>
    Array.isArray(value) ? [] : Object.keys(value).filter((key) => !isNamed(key, isOfRecord));
  return [
    ...new Set(
      sample.flatMap((record) => [
        ...unnamedIn(record, true),
        ...Object.values(record)
          .filter(isObject)
          .flatMap((value) => unnamedIn(value, false)),
      ]),
    ),
  ];
}

const unread = (side: Side, keys: readonly string[]): SuggestionWarning => ({
  code: 'unread_fields',
  message:
    `The ${side} fields ${named(keys.map((key) => JSON.stringify(key)))} are not read, as expressions cannot name ` +
    'them: send them under names that have a letter, no backtick, and inside of objects no dot',
});

const unreadNested = (side: Side, paths: readonly string[]): SuggestionWarning => ({
  code: 'unread_fields',
  message:
    `The ${side} fields ${named(paths.map((path) => JSON.stringify(path)))} hold lists or deeply nested ` +
    'objects, which are not read: declare a field that takes one text or number of them, with transform_expr',
});

const manyFields = (side: Side, count: number): SuggestionWarning => ({
  code: 'many_fields',
  message:
    `Only ${maxFields} of ${count} ${side} fields are compared, those with most values: leave out fields that say ` +
    'nothing about a match, if one is missing in the answer',
});

const oneValue = (side: Side, paths: readonly string[]): SuggestionWarning => ({
  code: 'one_value',
  message: `The ${side} records have one value each in ${named(paths)}: nothing is learnt from these fields`,
});

const cutTexts = (side: Side, paths: readonly string[]): SuggestionWarning => ({
  code: 'long_texts',
  message:
    `Only the first ${maxTextLength} characters of ${side} texts in ${named(paths)} are compared: declare a field ` +
    'that holds what identifies a record, with transform_expr, if it is further behind',
});

/** The ways in which values become readable, in files and in records that are sent one by one. */
const readable = {
  dates: 'Read the file with its dateFormat, or send dates as YYYY-MM-DD',
  amounts: 'Read the file with its decimalSeparator, or send amounts as numbers',
};

function unreadDate(side: Side, path: string, record: JsonObject): SuggestionWarning {
  const example = JSON.stringify(textAt(record, path).slice(0, 40));
  const message =
    `The ${side} values in ${path} look like dates that need a format, such as ${example}: they are compared as ` +
    `texts. ${readable.dates}`;
  return { code: 'unread_dates', message };
}

/** Warns of a field of which most values, but not all, are dates or amounts: it is compared as text. */
function mixedValues(side: Side, path: string, records: readonly JsonObject[]): SuggestionWarning[] {
  if (records.length === 0) return [];
  const unreadDates = records.filter((record) => isDateText(textAt(record, path)) && Number.isNaN(dayAt(record, path)));
  if (unreadDates.length >= mixed.min * records.length) return [unreadDate(side, path, unreadDates[0] as JsonObject)];
  const kinds = [
    { name: 'dates' as const, reads: dayAt },
    ...(canBeAmounts(records, path) ? [{ name: 'amounts' as const, reads: numberAt }] : []),
  ];
  for (const { name, reads } of kinds) {
    const unread = records.filter((record) => Number.isNaN(reads(record, path)));
    const share = 1 - unread.length / records.length;
    if (share >= mixed.max) return [];
    if (share < mixed.min) continue;
    const example = JSON.stringify(textAt(unread[0] as JsonObject, path).slice(0, 40));
    const message =
      `${percent(share)} of the ${side} values in ${path} are ${name}, others are not, such as ${example}: they are ` +
      `compared as texts. ${readable[name]}`;
    return [{ code: 'mixed_values', message }];
  }
  return [];
}
