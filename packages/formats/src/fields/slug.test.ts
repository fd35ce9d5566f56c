import { fieldKeyPattern, slug, uniqueKeyFor } from './slug';

test.each([
  ['Amount', 'amount'],
  ['Valor Líquido (R$)', 'valor_liquido_r'],
  ['Número do Título', 'numero_do_titulo'],
  ['Größe in m²', 'grosse_in_m2'],
  ['ŁÓDŹ', 'lodz'],
  ['  --a__b--  ', 'a_b'],
  ['2nd', 'f_2nd'],
  ['日付', 'field'],
  ['', 'field'],
])('%j becomes %s', (name, key) => {
  expect(slug(name)).toBe(key);
});

test('every slug is a valid key', () => {
  const pattern = new RegExp(fieldKeyPattern);
  for (let code = 1; code < 0x3000; code += 7) {
    const name = String.fromCodePoint(code).repeat(70) + code;
    expect(slug(name)).toMatch(pattern);
    expect(uniqueKeyFor(slug(name), new Set([slug(name)]))).toMatch(pattern);
  }
});

test('a taken key gets the first free number', () => {
  expect(uniqueKeyFor('a', new Set())).toBe('a');
  expect(uniqueKeyFor('a', new Set(['a', 'a_2']))).toBe('a_3');
});
