import fc from 'fast-check';
import {
  type BlockingRules,
  compileRuleSet,
  RuleEntries,
  type Side,
  type TextBlockingParams,
  TextNeighbours,
} from '@tieout/engine';
import { SideColumns } from '../stage/columns';
import { recordState } from '../stage/directory';

type Texts = Record<Side, string[]>;

function listedRules(text: TextBlockingParams): BlockingRules {
  const params = { Tmatch: 1, Tpossible: 0, blocking: { text } };
  const { listed } = compileRuleSet({ engine: 'jsonata', jsonataExpr: 'true', params, version: 1 });
  if (listed === null) throw new Error('the pairs are not listed');
  return listed;
}

/** @param ids the last byte of the id of each record */
function neighbours(rule: Partial<TextBlockingParams>, texts: Texts, ids: Record<Side, number[]>): Set<string> {
  const listed = listedRules({ left: 'title', right: 'title', ...rule });
  const place = (side: Side): { columns: SideColumns; entries: RuleEntries } => {
    const columns = new SideColumns();
    const entries = new RuleEntries();
    texts[side].forEach((title, at) => {
      const placing = listed.place(side, { title });
      if (placing instanceof Promise) throw new Error('a text is pending');
      const [found = null] = placing.places;
      const id = new Uint8Array(16).fill(ids[side][at] ?? at, 15);
      const seq = columns.add(found === null ? recordState.unblocked : recordState.candidate, id, 0);
      if (found !== null) entries.add(seq, found);
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
  const found = ended(steps);
  const pairs = new Set<string>();
  texts.left.forEach((_, seq) => found.visit(seq, (other) => pairs.add(`${seq}-${other}`)));
  for (const pair of pairs) expect(found.has(...(pair.split('-').map(Number) as [number, number]))).toBe(true);
  return pairs;
}

function ended<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
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
