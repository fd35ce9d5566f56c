import { counted } from '../values/counted';
import type { Side } from '../values/types';
import type { AnchorAmounts, AnchorDays } from './anchors';
import { dateOf, joinedOf, literal, numberOf, textOf } from './expressions';
import { slotPattern, type WordSlot } from './slots';
import type { Comparison, ComparisonLevel, FieldPair, FieldProfile } from './types';

/** Word counts from which texts are compared as sets of words, and up to which as single values. */
const minTitleWords = 4.5;
const maxValueWords = 1.6;
const missingBoth = '$not($exists($a) and $exists($b))';

const missing: ComparisonLevel = { label: 'a side has no value', when: missingBoth, start: 0.1, isMissing: true };
/** Exported columns hold '' where there is no value. */
const missingText: ComparisonLevel = { ...missing, when: '$not($a and $b)' };
const level = (label: string, when: string | null, start: number): ComparisonLevel => ({
  label,
  when,
  start,
  isMissing: false,
});

/** Facts about the values of a pair of texts that their comparison uses. */
export interface TextFacts {
  slots: readonly WordSlot[];
  /** True if many texts end with codes. */
  hasCodes: boolean;
  /** True if many texts hold words of one letter. */
  hasInitials: boolean;
  /** Values that many records share. */
  frequent: readonly string[];
  /** Weights of frequent words, in the form that `$wordCosine` reads. */
  wordWeights: string;
}

export function isTitle({ left, right, kind }: FieldPair): boolean {
  return kind === 'text' && Math.max(left.words, right.words) >= minTitleWords;
}

export function isName(pair: FieldPair): boolean {
  return pair.kind === 'text' && !isTitle(pair) && Math.max(pair.left.words, pair.right.words) > maxValueWords;
}

/**
 * Writes an expression that gives the value of a pair's level, for the given or its own operands. Of neighbouring
 * levels with one value only the widest is written.
 */
export function expressionOf(
  { operands, between, levels, isOrdered }: Comparison,
  values: readonly number[],
  { left, right }: Record<Side, string> = operands,
): string {
  const isCovered = (at: number): boolean =>
    values[at] === values[at + 1] && (levels[at + 1]?.when === null || (isOrdered && levels[at]?.isMissing === false));
  const outcomes = levels.flatMap(({ when }, at) =>
    isCovered(at) ? [] : [when === null ? `${values[at]}` : `${when} ? ${values[at]} : `],
  );
  return `(${[`$a := ${left}`, `$b := ${right}`, ...between, outcomes.join('')].join('; ')})`;
}

/** Returns the comparisons of a pair of fields. */
export function comparisonsOf(
  pair: FieldPair,
  facts: { text: TextFacts; amount: AnchorAmounts | null; date: AnchorDays | null },
): Comparison[] {
  if (pair.kind === 'number') return [numbers(pair, facts.amount)];
  if (pair.kind === 'date') return [dates(pair, facts.date)];
  if (isTitle(pair)) return [titles(pair, facts.text)];
  if (isName(pair)) return names(pair, facts.text);
  return [values(pair, facts.text)];
}

const titleOf = ({ left, right }: FieldPair): string =>
  left.path === right.path ? left.path : `${left.path} and ${right.path}`;
const fieldsOf = ({ left, right }: FieldPair): Record<Side, string[]> => ({ left: [left.path], right: [right.path] });
const idOf = (kind: string, { left }: FieldPair): string => `${left.path} ${kind}`;

const toleranceSteps = [0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.09, 0.12, 0.16, 0.2];
const wideSteps = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8];
const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

function numbers(pair: FieldPair, found: AnchorAmounts | null): Comparison {
  const steps =
    found === null || found.tolerance > 0.2
      ? wideSteps
      : toleranceSteps.filter((_, at) => at === 0 || (toleranceSteps[at - 1] as number) < found.tolerance);
  const sign = found?.opposite === true ? '-' : '';
  return {
    id: idOf('difference', pair),
    name: `${titleOf(pair)}: how far apart`,
    fields: fieldsOf(pair),
    operands: { left: numberOf('left', pair.left), right: sign + numberOf('right', pair.right) },
    between: ['$d := $abs($a - $b) / $max([$abs($a), $abs($b), 0.000001])'],
    levels: [
      missing,
      level('equal', '$a = $b', 0.4),
      ...steps.map((step, at) => level(`within ${percent(step)}`, `$d <= ${step}`, 0.4 * 0.75 ** (at + 1))),
      level('further apart', null, 0.03),
    ],
    isOrdered: true,
  };
}

function dates(pair: FieldPair, found: AnchorDays | null): Comparison {
  const steps = found === null ? null : daySteps(found.from, found.to);
  const levels =
    steps === null
      ? [0, 1, 7, 31, 366].map((days, at) =>
          level(days === 0 ? 'the same day' : `within ${counted(days, 'day')}`, `$abs($d) <= ${days}`, 0.5 * 0.4 ** at),
        )
      : steps.map(([from, to]) =>
          level(daysApart(from, to), from === to ? `$d = ${from}` : `$d >= ${from} and $d <= ${to}`, 1 / steps.length),
        );
  return {
    id: idOf('days', pair),
    name: `${titleOf(pair)}: days from left to right`,
    fields: fieldsOf(pair),
    operands: { left: dateOf('left', pair.left), right: dateOf('right', pair.right) },
    between: ['$d := $daysBetween($a, $b)'],
    levels: [missing, ...levels, level('other days', null, 0.03)],
    isOrdered: found === null,
  };
}

function daysApart(from: number, to: number): string {
  const [near, far] = to < 0 ? [-to, -from] : [from, to];
  const days = near === far ? counted(near, 'day') : `${near} to ${far} days`;
  return `${days} ${to < 0 ? 'earlier' : 'later'}`;
}

/** Cuts a window of days into steps that grow with their distance from its beginning or from 0. */
function daySteps(from: number, to: number): [number, number][] {
  if (from < 0 && to > 0) {
    const before = daySteps(1, -from).map(([near, far]): [number, number] => [-far, -near]);
    return [...before.reverse(), [0, 0], ...daySteps(1, to)];
  }
  if (to <= 0 && from < 0)
    return daySteps(-to, -from)
      .map(([near, far]): [number, number] => [-far, -near])
      .reverse();
  const steps: [number, number][] = [];
  for (let day = from, width = 1; day <= to; day += width, width = Math.max(1, Math.floor(steps.length / 2)))
    steps.push([day, Math.min(to, day + width - 1)]);
  return steps;
}

function titles(pair: FieldPair, { wordWeights }: TextFacts): Comparison {
  const cuts = Array.from({ length: 15 }, (_, at) => (15 - at) / 16);
  return {
    id: idOf('words', pair),
    name: `${titleOf(pair)}: words alike`,
    fields: fieldsOf(pair),
    operands: { left: textOf('left', pair.left), right: textOf('right', pair.right) },
    between: [`$c := $wordCosine($a, $b, ${literal(wordWeights)})`],
    levels: [
      missingText,
      ...cuts.map((cut) => level(`at least ${percent(cut)} of the words' weight`, `$c >= ${cut}`, 0.02 + cut / 10)),
      level('few words in common', null, 0.02),
    ],
    isOrdered: true,
  };
}

function names(pair: FieldPair, { slots, hasCodes, hasInitials }: TextFacts): Comparison[] {
  const name: Comparison = {
    id: idOf('name', pair),
    name: `${titleOf(pair)}: name begins alike`,
    fields: fieldsOf(pair),
    operands: {
      left: baseOf(textOf('left', pair.left), slots, hasCodes),
      right: baseOf(textOf('right', pair.right), slots, hasCodes),
    },
    between: [
      '$n := $min([$length($a), $length($b)])',
      '$begin := $commonPrefix($a, $b)',
      '$words := $wordOverlap($a, $b)',
    ],
    levels: [
      missingText,
      level('equal, more than 12 characters', '$a = $b and $n > 12', 0.25),
      level('equal, 9 to 12 characters', '$a = $b and $n > 8', 0.2),
      level('equal, 6 to 8 characters', '$a = $b and $n > 5', 0.15),
      level('equal, 4 or 5 characters', '$a = $b and $n > 3', 0.1),
      level('equal, up to 3 characters', '$a = $b', 0.1),
      level('one is the beginning of the other', '$begin = 1 and $n > 3', 0.08),
      level('one is the short beginning of the other', '$begin = 1 and $n > 0', 0.03),
      level('all words of one in the other', '$words = 1', 0.05),
      ...(hasInitials ? initialLevels : []),
      level('five characters alike', '$substring($a, 0, 5) = $substring($b, 0, 5) and $n >= 5', 0.05),
      level('few typing errors', '$similarity($a, $b) >= 0.9', 0.04),
      level('the same first word', '$substringBefore($a, " ") = $substringBefore($b, " ")', 0.03),
      level('half of the words', '$words >= 0.5', 0.03),
      level('different', null, 0.02),
    ],
    isOrdered: false,
  };
  return [name, ...slots.map((slot, at) => slotComparison(pair, slot, at))];
}

const initialsOf = (name: string): string => `$replace(${name}, /(\\S)\\S*/, "$1")`;
const sameInitials = `${initialsOf('$a')} = ${initialsOf('$b')}`;

/** Levels of names whose words may be written as initials. */
const initialLevels: readonly ComparisonLevel[] = [
  level('half of the words, the others by their initials', `$words >= 0.5 and ${sameInitials}`, 0.06),
  level('the same initials', sameInitials, 0.04),
];

/** Returns a text without the words of slots and codes at its end. */
function baseOf(text: string, slots: readonly WordSlot[], hasCodes: boolean): string {
  const ends = [...slots.map(slotPattern), ...(hasCodes ? ['[A-Za-z-]*[0-9][A-Za-z0-9-]*'] : [])];
  // Unless words repeat, a text has one way through the pattern, and the backtracking bound stays low.
  const base = ends.length === 0 ? text : `$replace(${text}, /(?: +(?:${ends.join('|')}))+ *$/, "")`;
  return `$lowercase($trim(${base}))`;
}

function slotComparison(pair: FieldPair, slot: WordSlot, at: number): Comparison {
  const word = (side: Side): string =>
    `$match(${textOf(side, pair[side])}, / (${slotPattern(slot)})(?: |$)/)[0].groups[0]`;
  const { prefix, words } = slot;
  const shown = words.slice(0, 3).join(', ');
  return {
    id: idOf(`word ${at + 1}`, pair),
    name: `${titleOf(pair)}: the same word of ${shown}${words.length > 3 ? ' …' : ''}`,
    fields: fieldsOf(pair),
    operands: { left: word('left'), right: word('right') },
    between: [],
    levels: [
      level('neither has such a word', '$not($exists($a) or $exists($b))', 0.3),
      level('only the left has one', '$not($exists($b))', 0.15),
      level('only the right has one', '$not($exists($a))', 0.15),
      level('the same word', `$substring($a, 0, ${prefix}) = $substring($b, 0, ${prefix})`, 0.35),
      level('different words', null, 0.05),
    ],
    isOrdered: false,
  };
}

function values(pair: FieldPair, { frequent }: TextFacts): Comparison {
  const list = `[${frequent.map(literal).join(', ')}]`;
  return {
    id: idOf('value', pair),
    name: `${titleOf(pair)}: the same value`,
    fields: fieldsOf(pair),
    operands: {
      left: `$normalize(${textOf('left', pair.left)})`,
      right: `$normalize(${textOf('right', pair.right)})`,
    },
    between: [],
    levels: [
      missingText,
      ...(frequent.length === 0 ? [] : [level('equal, a rare value', `$a = $b and $not($a in ${list})`, 0.35)]),
      level(frequent.length === 0 ? 'equal' : 'equal, a frequent value', '$a = $b', 0.35),
      level('few typing errors', '$similarity($a, $b) >= 0.92', 0.08),
      level('some typing errors', '$similarity($a, $b) >= 0.8', 0.05),
      level('different', null, 0.07),
    ],
    isOrdered: true,
  };
}

/** Compares the codes in all texts of both sides. */
export function codeComparison(texts: Record<Side, readonly FieldProfile[]>): Comparison {
  return {
    id: 'codes',
    name: 'a code of one side in the other',
    fields: { left: texts.left.map(({ path }) => path), right: texts.right.map(({ path }) => path) },
    operands: { left: joinedOf('left', texts.left), right: joinedOf('right', texts.right) },
    between: ['$c := $codeOverlap($a, $b)'],
    levels: [
      { label: 'a side has no code', when: '$not($exists($c))', start: 0.3, isMissing: true },
      level('a code of one in the other', '$c = 1', 0.5),
      level('but for its last characters', '$c > 0', 0.05),
      level('different codes', null, 0.1),
    ],
    isOrdered: true,
  };
}
