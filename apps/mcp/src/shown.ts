import { ToolFailure } from './failure';
import { shownText } from './shown-text';

/** Characters of a whole answer, as JSON. */
export const maxAnswerLength = 60_000;

/** Limits for the parts of an item that are shown. */
interface ShownBounds {
  textLength: number;
  /** Entries of one list or object. */
  entries: number;
}

/** The first of these under which an answer is short enough holds. */
const bounds: readonly ShownBounds[] = [
  { textLength: 1_000, entries: 100 },
  { textLength: 200, entries: 40 },
  { textLength: 80, entries: 10 },
];

const maxKeyLength = 100;
const maxDepth = 12;
/** The lists of an answer itself: their items are what it is about, and `cut` says what is left out. */
const depthOfLists = 1;

/** Shows a value of any shape: its texts are readable, bounded, and nothing but data. */
export function shown(value: unknown, { textLength, entries: max } = bounds[0] as ShownBounds, depth = 0): unknown {
  const inner = (one: unknown): unknown => shown(one, { textLength, entries: max }, depth + 1);
  if (typeof value === 'string') return shownText(value, textLength);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '… [cut: nested deeper]';
  if (Array.isArray(value)) {
    if (depth === depthOfLists || value.length <= max) return value.map(inner);
    return [...value.slice(0, max).map(inner), `… [cut: ${value.length} entries]`];
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, max).map(([key, one]) => [shownText(key, maxKeyLength), inner(one)] as const);
  if (entries.length > max) kept.push(['…', `[cut: ${entries.length} keys]`]);
  return Object.fromEntries(kept);
}

/** An answer of a tool: an object, of which lists may be long. */
export type ToolAnswer = Record<string, unknown>;

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** Shortens the longest list of an answer until it is short enough; undefined where single items are too long. */
function withFewerItems(answer: ToolAnswer): ToolAnswer | undefined {
  let fewer = answer;
  let omitted = 0;
  while (sizeOf(fewer) > maxAnswerLength) {
    const lists = Object.entries(fewer).filter(([, value]) => Array.isArray(value) && value.length > 1);
    const [largest] = lists.sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    if (!largest) return undefined;
    const [key, list] = largest as [string, unknown[]];
    const kept = Math.floor(list.length / 2);
    omitted += list.length - kept;
    const cut = `${omitted} items are left out because the answer would be too long: ask for fewer`;
    fewer = { ...fewer, [key]: list.slice(0, kept), cut };
  }
  return fewer;
}

/**
 * Bounds an answer: its lists lose their last items until it is short enough, and `cut` says so; where single items are
 * too long, they show less of their texts and lists.
 * @throws ToolFailure for an answer that stays too long
 */
export function boundedAnswer(answer: ToolAnswer): ToolAnswer {
  for (const each of bounds) {
    const bounded = withFewerItems(shown(answer, each) as ToolAnswer);
    if (bounded) return bounded;
  }
  throw new ToolFailure('answer_too_long', 'The answer is too long: ask for less of it');
}
