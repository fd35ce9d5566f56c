import { blockBytes, viewBlock, type Block } from './block';
import { Rows } from './rows';

function blockOf(texts: readonly string[]): Block {
  const values = texts.map((text) => Buffer.from(`${text},`));
  const block = viewBlock(
    new ArrayBuffer(
      blockBytes(
        texts.length,
        values.reduce((sum, { length }) => sum + length, 0),
      ),
    ),
    texts.length,
  );
  let at = 0;
  values.forEach((value, row) => {
    block.start[row] = at;
    at += value.copy(block.values, at);
  });
  block.start[texts.length] = at;
  return block;
}

function weightOf(texts: readonly string[]): number {
  const rows = new Rows({ amountScale: 2, comparesAmounts: false, ties: 'read' });
  rows.take(blockOf(texts), () => true);
  return rows.weight;
}

const textOf = (value: unknown): string => JSON.stringify(value);

test('rows that are dense in small values weigh many times their text', () => {
  const dense = textOf({ a: Array.from({ length: 1_000 }, () => ({})) });
  expect(weightOf([dense, dense])).toBeGreaterThan(3 * 2 * dense.length);
});

test.each([
  ['small rows', textOf({ amount: '12.50', tags: [['a'], ['b']] })],
  ['rows of long texts', textOf({ amount: '12.50', note: 'n'.repeat(5_000) })],
])('%s weigh about their text', (_what, text) => {
  expect(weightOf([text, text])).toBeLessThan(2 * (text.length + 10));
});
