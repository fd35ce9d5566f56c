import fc from 'fast-check';
import { JsonText, stringifyJson } from './json-text';

const withTexts = (value: unknown, textual: (depth: number) => boolean, depth = 0): unknown => {
  if (textual(depth)) return new JsonText(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => withTexts(item, textual, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, textual, depth + 1)]));
};

test('a value with parts that are JSON text is serialized as a whole', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, depth) => {
      const mixed = withTexts(value, (at) => at === depth);
      expect(stringifyJson(mixed)).toBe(JSON.stringify(value));
    }),
  );
});

test('the text is copied as it is', () => {
  expect(stringifyJson({ data: new JsonText('{"amount": 1.50}'), other: [new JsonText('null')] })).toBe(
    '{"data":{"amount": 1.50},"other":[null]}',
  );
});

test('another serializer gets its value', () => {
  expect(JSON.stringify({ data: new JsonText('{"amount": 1.50}') })).toBe('{"data":{"amount":1.5}}');
});

test('a value that cannot be JSON leaves no state behind', () => {
  const circular: unknown[] = [new JsonText('1')];
  circular.push(circular);
  expect(() => stringifyJson(circular)).toThrow('circular');
  expect(JSON.stringify(new JsonText('[2]'))).toBe('[2]');
});
