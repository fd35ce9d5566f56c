import fc from 'fast-check';
import type { BlockingRules } from '../blocking/rules';
import type { TextBlockingParams } from '../definition/types';
import { compileRuleSet } from '../rule-set/compile';
import { runToEnd } from '../values/steps';
import type { Side } from '../values/types';
import { RuleEntries } from './rule-entries';
import { recordState } from './side';
import type { TextSide } from './text-index';
import { TextNeighbours } from './text-neighbours';

type Texts = Record<Side, string[]>;

function listedRules(text: TextBlockingParams): BlockingRules {
  const params = { Tmatch: 1, Tpossible: 0, blocking: { text } };
  const { listed } = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', params, version: 1 });
  if (listed === null) throw new Error('the pairs are not listed');
  return listed;
}

/** @param ids the ids of the records, which order them */
function neighbours(rule: Partial<TextBlockingParams>, texts: Texts, ids: Record<Side, number[]>): Set<string> {
  const listed = listedRules({ left: 'title', right: 'title', ...rule });
  const place = (side: Side): { columns: TextSide; entries: RuleEntries } => {
    const { length } = texts[side];
    const idOf = (at: number): number => ids[side][at] ?? at;
    const compare = (one: number, other: number): number => idOf(one) - idOf(other);
    const columns = { length, state: new Uint8Array(length), compare };
    const entries = new RuleEntries();
    texts[side].forEach((title, at) => {
      const placing = listed.place(side, { title });
      if (placing instanceof Promise) throw new Error('a text is pending');
      const [found = null] = placing.places;
      columns.state[at] = found === null ? recordState.unblocked : recordState.candidate;
      if (found !== null) entries.add(at, found);
    });
    return { columns, entries };
  };
  const [left, right] = [place('left'), place('right')];
  const steps = TextNeighbours.find({
    rule: listed.rules[0]?.text ?? { top: 0, maxDocumentShare: 0 },
    words: { left: left.entries.words, right: right.entries.words },
    columns: { left: left.columns, right: right.columns },
    same: undefined,
  });
  const found = runToEnd(steps);
  const pairs = new Set<string>();
  texts.left.forEach((_, seq) => found.visit(seq, (other) => pairs.add(`${seq}-${other}`)));
  for (const pair of pairs) expect(found.has(...(pair.split('-').map(Number) as [number, number]))).toBe(true);
  return pairs;
}

/** The pairs by comparing every record with every other one. */
function compared(top: number, texts: Texts, ids: Record<Side, number[]>): Set<string> {
  const words = (text: string): string[] => [...new Set(text.split(' ').filter((word) => word !== ''))].sort();
  const all = [...texts.left, ...texts.right].map(words).filter(({ length }) => length > 0);
  const weight = (word: string): number => Math.log(all.length / all.filter((own) => own.includes(word)).length);
  const norm = (own: string[]): number => Math.sqrt(own.reduce((sum, word) => sum + weight(word) ** 2, 0));
  const cosine = (one: string, other: string): number => {
    const [left, right] = [words(one), words(other)];
    const common = left.filter((word) => right.includes(word)).reduce((sum, word) => sum + weight(word) ** 2, 0);
    return common === 0 ? 0 : common / (norm(left) * norm(right));
  };
  const found = new Set<string>();
  const take = (side: Side, other: Side, name: (own: number, theirs: number) => string): void => {
    texts[side].forEach((text, own) => {
      texts[other]
        .map((theirs, at) => ({ at, id: ids[other][at] ?? at, score: Number(cosine(text, theirs).toFixed(12)) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, top)
        .forEach(({ at }) => found.add(name(own, at)));
    });
  };
  take('left', 'right', (own, theirs) => `${own}-${theirs}`);
  take('right', 'left', (own, theirs) => `${theirs}-${own}`);
  return found;
}

const word = fc.constantFrom('red', 'blue', 'pump', 'valve', 'kit', 'x1');
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const texts = fc.array(text, { maxLength: 12 });
const reversed = (length: number): number[] => Array.from({ length }, (_, at) => length - at);

test('the neighbours are the most similar records of each side, ties by id, as by comparing every pair', () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 1, max: 4 }), (left, right, top) => {
      const ids = { left: reversed(left.length), right: reversed(right.length) };
      const found = neighbours({ top }, { left, right }, ids);
      const wanted = compared(top, { left, right }, ids);
      expect([...found].sort()).toEqual([...wanted].sort());
    }),
    { numRuns: 300 },
  );
});

const noIds = { left: [], right: [] };

test.each<[string, string, string]>([
  ['case, accents and punctuation', 'Café, Größe!', 'CAFE grosse'],
  ['a hyphen in a code', 'filter WD-40', 'wd40'],
])('%s do not matter', (_name, left, right) => {
  expect(neighbours({}, { left: [left, 'other'], right: [right, 'else'] }, noIds)).toEqual(new Set(['0-0']));
});

test('words of a larger share of the records than allowed are not compared', () => {
  const left = Array.from({ length: 60 }, (_, at) => `common l${at}`);
  const right = ['common r0', 'common l7'];
  const all = neighbours({ top: 1, maxDocumentShare: 1 }, { left: [...left, 'z'], right }, noIds);
  expect(all.has('7-1')).toBe(true);
  expect(all.size).toBeGreaterThan(2);
  expect(neighbours({ top: 1 }, { left: [...left, 'z'], right }, noIds)).toEqual(new Set(['7-1']));
});

test('the order in which records arrive does not decide', () => {
  const left = ['pump red', 'pump blue', 'valve red', 'kit'];
  const right = ['pump', 'red', 'blue kit', 'valve x1'];
  const ids = { left: [0, 1, 2, 3], right: [0, 1, 2, 3] };
  const turned = neighbours(
    { top: 1 },
    { left: left.toReversed(), right: right.toReversed() },
    { left: ids.left.toReversed(), right: ids.right.toReversed() },
  );
  const back = [...turned].map((pair) =>
    pair
      .split('-')
      .map((seq) => 3 - Number(seq))
      .join('-'),
  );
  expect(back.sort()).toEqual([...neighbours({ top: 1 }, { left, right }, ids)].sort());
});
