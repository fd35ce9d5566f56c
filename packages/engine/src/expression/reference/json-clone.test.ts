import fc from 'fast-check';
import { cloneAsJson } from './json-clone';

const throughJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'number' && !Number.isInteger(member) ? Number(member.toPrecision(15)) : member,
    ),
  );

test('a clone is what the JSON of a value reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(cloneAsJson(value)).toStrictEqual(throughJson(value));
    }),
  );
});

test.each([
  [
    [undefined, NaN, 0.1 + 0.2],
    [null, null, 0.3],
  ],
  [{ a: undefined }, {}],
  [
    { f: { _jsonata_lambda: true }, g: () => 1 },
    { f: '', g: '' },
  ],
  [Object.assign([[1]], { outerWrapper: true }), [1]],
])('what JSON does not know is cloned as jsonata writes it', (value, expected) => {
  expect(cloneAsJson(value)).toStrictEqual(expected);
});

test('a member called __proto__ stays a member', () => {
  const clone = cloneAsJson(JSON.parse('{"__proto__": {"a": 1}}'));
  expect(Object.keys(clone as object)).toEqual(['__proto__']);
});

test('a value that shares its parts many times over is not copied out', () => {
  let value: unknown = 1;
  for (let level = 0; level < 40; level++) value = [value, value];
  expect(() => cloneAsJson(value)).toThrow(expect.objectContaining({ code: 'value_too_large' }) as Error);
});
