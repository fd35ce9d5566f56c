import type { Assertion, Pattern } from '../pattern';

type Go = (place: number) => boolean;

/** Ends a count that has become larger than anybody asks for. */
export class TooManySteps extends Error {}

/** Matches as a backtracking matcher does, at every place of the text in turn, and counts its steps. */
export function backtrackingSteps(root: Pattern, text: string, most: number): number {
  let steps = 0;
  const run = (pattern: Pattern, place: number, go: Go): boolean => {
    steps += 1;
    if (steps > most) throw new TooManySteps();
    switch (pattern.kind) {
      case 'set':
        return place < text.length && pattern.set.has(text.charCodeAt(place)) && go(place + 1);
      case 'sequence':
        return pattern.items.reduceRight<Go>((after, item) => (at) => run(item, at, after), go)(place);
      case 'choice':
        return pattern.options.some((option) => run(option, place, go));
      case 'group':
        return run(pattern.body, place, go);
      case 'assertion':
        return holds(pattern.is, text, place) && go(place);
      case 'repeat':
        return repeat(pattern, pattern.min, pattern.max, place, go);
      case 'look': case 'backReference':
        throw new TypeError(`${pattern.kind} is not counted`);
    }
  };
  const repeat = (pattern: Extract<Pattern, { kind: 'repeat' }>, min: number, max: number, place: number, go: Go): boolean => {
    if (max === 0) return go(place);
    const more: Go = (at) => (min === 0 && at === place ? false : repeat(pattern, Math.max(0, min - 1), max - 1, at, go));
    const into = (): boolean => run(pattern.body, place, more);
    if (min > 0) return into();
    return pattern.greedy ? into() || go(place) : go(place) || into();
  };
  for (let start = 0; start <= text.length; start += 1) if (run(root, start, () => true)) break;
  return steps;
}

function holds(assertion: Assertion, text: string, place: number): boolean {
  const source = { textStart: '^', textEnd: '$', lineStart: '^', lineEnd: '$', word: '\\b', notWord: '\\B' }[assertion];
  const regex = new RegExp(source, assertion.startsWith('line') ? 'my' : 'y');
  regex.lastIndex = place;
  return regex.test(text);
}
