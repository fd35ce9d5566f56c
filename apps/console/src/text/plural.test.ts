import { catalog, languages } from './catalog';
import { createFormats } from './format';

const { counted } = createFormats('en');

test('a text agrees with its count', () => {
  const { en, pt } = catalog;
  expect([0, 1, 2, 1_000].map((count) => en.exceptions.found(counted(count)))).toEqual([
    '0 items',
    '1 item',
    '2 items',
    '1,000 items',
  ]);
  expect([1, 2].map((count) => pt.exceptions.found(counted(count)))).toEqual(['1 item', '2 itens']);
  expect(en.rules.against(counted(1), counted(2))).toBe('1 new match; 2 matches that are held would be lost.');
});

test.each(languages)('no text of %s shows the sign that stands for a count', (language) => {
  const said = textsOf(catalog[language]).filter((one) => one.includes('7') || one.includes('#'));
  expect(said.filter((one) => one.includes('#'))).toEqual([]);
  expect(said.length).toBeGreaterThan(20);
});

/** The texts that are made of values, each with 7 for every value. */
function textsOf(texts: unknown): string[] {
  if (typeof texts === 'function') {
    const seven = { value: 7, text: '7', toString: () => '7' };
    return textsOf((texts as (...values: unknown[]) => unknown)(seven, seven, seven));
  }
  if (typeof texts === 'string') return [texts];
  return Object.values(texts as Record<string, unknown>).flatMap(textsOf);
}
