import { normalizeText } from '../expression/functions/normalize';
import type { JsonObject, Side } from '../values/types';
import { compareTexts, dayAt, numberAt, spread, textAt } from './fields';
import type { FieldPair, FieldProfile } from './types';

const comparedRecords = 3_000;
/** Fields whose values agree less hold different things, unless they have the same name. */
const minOverlap = 0.05;
/** Equal names decide between fields whose values agree about equally. */
const nameBonus = 0.15;

/** Two samples have few of the values in common that one record of each side has: all records are compared by them. */
const nearlyUnique = 0.5;

type Histogram = ReadonlyMap<string | number, number>;

/** Finds the fields of both sides that hold the same, by their values. Each field is in one pair at most. */
export function alignFields(
  records: Record<Side, readonly JsonObject[]>,
  profiles: Record<Side, readonly FieldProfile[]>,
): FieldPair[] {
  const sample = { left: spread(records.left, comparedRecords), right: spread(records.right, comparedRecords) };
  const histograms = (side: Side): Map<FieldProfile, Histogram[]> =>
    new Map(profiles[side].map((field) => [field, histogramsOf(sample[side], field)]));
  const [lefts, rights] = [histograms('left'), histograms('right')];
  const isSampled = Math.max(records.left.length, records.right.length) > comparedRecords;
  const wholesOf = (side: Side): Map<FieldProfile, Histogram> =>
    isSampled ? wholeHistograms(records[side], profiles[side]) : new Map<FieldProfile, Histogram>();
  const wholes = { left: wholesOf('left'), right: wholesOf('right') };
  const noValues: Histogram = new Map();
  const pairs = [...lefts].flatMap(([left, ones]) =>
    [...rights]
      .filter(([right]) => isText(left) === isText(right) && (isText(left) || left.kind === right.kind))
      .map(([right, others]) => {
        const sampled = ones.reduce((sum, one, at) => sum + common(one, others[at] as Histogram), 0) / ones.length;
        const whole = common(wholes.left.get(left) ?? noValues, wholes.right.get(right) ?? noValues);
        const overlap = Math.max(sampled, whole);
        const isNamedAlike = nameOf(left) === nameOf(right);
        return { left, right, overlap, rank: overlap + (isNamedAlike ? nameBonus : 0), isNamedAlike };
      }),
  );
  pairs.sort((one, other) => other.rank - one.rank || compareTexts(keyOf(one), keyOf(other)));
  const used = new Set<FieldProfile>();
  return pairs.flatMap(({ left, right, overlap, isNamedAlike }) => {
    if (used.has(left) || used.has(right) || (overlap < minOverlap && !isNamedAlike)) return [];
    used.add(left).add(right);
    const kind = left.kind === right.kind ? left.kind : 'text';
    return [{ left, right, overlap, kind }];
  });
}

const isText = ({ kind }: FieldProfile): boolean => kind === 'text' || kind === 'code';
const nameOf = ({ path }: FieldProfile): string => normalizeText(path);
const keyOf = ({ left, right }: { left: FieldProfile; right: FieldProfile }): string => `${left.path}\n${right.path}`;

/** Returns the texts in all records of fields with about one text a record. */
function wholeHistograms(
  records: readonly JsonObject[],
  profiles: readonly FieldProfile[],
): Map<FieldProfile, Histogram> {
  const unique = profiles.filter((field) => isText(field) && field.distinct >= nearlyUnique);
  return new Map(unique.map((field) => [field, histogram(textsOf(records, field))]));
}

const textsOf = (records: readonly JsonObject[], { path }: FieldProfile): string[] =>
  records.map((record) => normalizeText(textAt(record, path))).filter((text) => text !== '');

function histogramsOf(records: readonly JsonObject[], field: FieldProfile): Histogram[] {
  const { path, kind } = field;
  if (kind === 'date') {
    const days = records.map((record) => dayAt(record, path)).filter((day) => !Number.isNaN(day));
    return [histogram(days.map((day) => Math.floor(day / 30)))];
  }
  if (kind === 'number') {
    const numbers = records.map((record) => Math.abs(numberAt(record, path))).filter((value) => !Number.isNaN(value));
    return [histogram(numbers.map((value) => Math.round(Math.log(value + 0.01) * 4)))];
  }
  const texts = textsOf(records, field);
  return [histogram(texts), histogram(texts.flatMap((text) => text.split(' ')))];
}

/** Returns the share of each value. */
function histogram<T extends string | number>(values: readonly T[]): ReadonlyMap<T, number> {
  const shares = new Map<T, number>();
  for (const value of values) shares.set(value, (shares.get(value) ?? 0) + 1 / values.length);
  return shares;
}

function common(one: Histogram, other: Histogram): number {
  let sum = 0;
  for (const [value, share] of one) sum += Math.min(share, other.get(value) ?? 0);
  return sum;
}
