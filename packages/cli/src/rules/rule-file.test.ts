import fc from 'fast-check';
import { parseRules, type RuleFile } from './rule-file';
import { rewriteRules, writeRules } from './rule-text';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((one) => !/\p{Surrogate}/u.test(one)),
  fc.constantFrom(
    'a\nb',
    'a \n b',
    '  a\nb',
    'a\n\n',
    '\n',
    '- a',
    '#',
    'null',
    '1',
    'true',
    'it\'s\n"b"',
    'x'.repeat(200),
  ),
);

const ruleFile: fc.Arbitrary<RuleFile> = fc.record(
  {
    name: text,
    left: text,
    right: text,
    engine: fc.constantFrom('jsonata', 'jsonata-batch'),
    jsonataExpr: text,
    params: fc.record(
      {
        Tmatch: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
        Tpossible: fc.integer(),
        filters: fc.array(text),
        matchers: fc.array(fc.record({ id: text, expr: text })),
      },
      { requiredKeys: ['Tmatch', 'Tpossible'] },
    ),
    logicJson: fc.dictionary(fc.string(), fc.jsonValue()),
  },
  { requiredKeys: ['params'] },
);

test('a rule set is read from its file as it was written', () => {
  fc.assert(
    fc.property(ruleFile, (rules) => {
      const plain = JSON.parse(JSON.stringify(rules)) as RuleFile;
      expect(parseRules(writeRules(plain), 'a.yaml')).toEqual(plain);
      expect(parseRules(JSON.stringify(plain, null, 2), 'a.json')).toEqual(plain);
    }),
  );
});

test('a rule set that is written into the file of another is read as itself', () => {
  fc.assert(
    fc.property(ruleFile, ruleFile, (one, other) => {
      const plain = JSON.parse(JSON.stringify(other)) as RuleFile;
      expect(parseRules(rewriteRules(writeRules(one), plain), 'a.yaml')).toEqual(plain);
    }),
  );
});

const commented = `# Invoices
name: a # the name
params: { Tpossible: 1, Tmatch: 1 } # strict
# by number
jsonataExpr: |
  left.a = right.a
  and left.b
`;

test('comments, order and style stay where a rule set is written into its file', () => {
  const rules = { ...parseRules(commented, 'a.yaml'), jsonataExpr: 'left.a = right.a\nand\tleft.c\n' };
  expect(rewriteRules(commented, rules)).toBe(commented.replace('and left.b', 'and\tleft.c'));
});

test('an expression of several lines is a block of text', () => {
  const written = writeRules({ jsonataExpr: 'left.a = right.a\nand left.b', params: { Tmatch: 1, Tpossible: 1 } });
  expect(written).toBe('jsonataExpr: |-\n  left.a = right.a\n  and left.b\nparams:\n  Tmatch: 1\n  Tpossible: 1\n');
});

test.each(['left.a \nand left.b', 'left.a\nand left.b ', 'left.a\t\n \nand left.b'])(
  '%j stays a block of text',
  (text) => {
    const written = writeRules({ jsonataExpr: text, params: { Tmatch: 1, Tpossible: 1 } });
    expect(written).toContain('jsonataExpr: |-\n');
    expect(parseRules(written, 'a.yaml').jsonataExpr).toBe(text);
  },
);

test.each(['😀', '𠮷', '\ue000', '\ufffd', 'ü漢'])('an expression with %j stays a block of text', (text) => {
  const jsonataExpr = `$contains(right.text, "${text}")\nand left.b`;
  const written = writeRules({ jsonataExpr, params: { Tmatch: 1, Tpossible: 1 } });
  expect(written).toContain(`jsonataExpr: |-\n  $contains(right.text, "${text}")\n  and left.b\n`);
  expect(parseRules(written, 'a.yaml').jsonataExpr).toBe(jsonataExpr);
});

test.each(['\ud800', '\udc00', '\ufeff', '\u0007'])('an expression with %j is read as it was written', (text) => {
  const jsonataExpr = `$contains(right.text, "${text}")\nand left.b`;
  const written = writeRules({ jsonataExpr, params: { Tmatch: 1, Tpossible: 1 } });
  expect(parseRules(written, 'a.yaml').jsonataExpr).toBe(jsonataExpr);
});
