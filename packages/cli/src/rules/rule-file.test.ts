import fc from 'fast-check';
import { parseRules, writeRules, type RuleFile } from './rule-file';

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

test('an expression of several lines is a block of text', () => {
  const written = writeRules({ jsonataExpr: 'left.a = right.a\nand left.b', params: { Tmatch: 1, Tpossible: 1 } });
  expect(written).toBe('jsonataExpr: |-\n  left.a = right.a\n  and left.b\nparams:\n  Tmatch: 1\n  Tpossible: 1\n');
});
