import { comparedFields } from './compare';

test.each([
  ['the same but for case and accents', 'Café', 'CAFE', 'equal'],
  ['the same number', '10', 10, 'equal'],
  ['some shared words', 'PIX ACME NF-1', 'invoice NF-1', 'similar'],
  ['nothing shared', 'abc', 'def', 'different'],
  ['one side only', 'abc', null, 'oneSided'],
] as const)('%s is marked', (_title, left, right, likeness) => {
  expect(comparedFields({ a: left }, { a: right })).toMatchObject([{ key: 'a', likeness }]);
});

test('shared words are marked in both texts, and nothing of a text is lost', () => {
  const [field] = comparedFields({ a: 'PIX ACME, NF-1' }, { a: 'acme (NF-1)' });
  expect(field?.left).toEqual([
    { text: 'PIX ', isShared: false },
    { text: 'ACME, NF-1', isShared: true },
  ]);
  expect(field?.right.map(({ text }) => text).join('')).toBe('acme (NF-1)');
});

test('what a field of another name repeats is marked, but for parts of dates and amounts', () => {
  const left = { customer: 'Café Lumière Ltd', total: '480.00', due: '2026-03-05' };
  const right = { text: 'CAFE LUMIERE 480 due 2026-03-10', amount: 480 };
  const marked = comparedFields(left, right).map((field) =>
    [...field.left, ...field.right]
      .filter(({ isShared }) => isShared)
      .map(({ text }) => text.trim())
      .join('|'),
  );
  expect(marked).toEqual(['Café Lumière', '480.00', '', 'CAFE LUMIERE', '480']);
});

test('a text of a megabyte costs no more than any other', () => {
  const [field] = comparedFields({ a: 'x y '.repeat(300_000) }, { a: 'x' });
  expect(field?.left.map(({ text }) => text).join('').length).toBeLessThan(500);
});
