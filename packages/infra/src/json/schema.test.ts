import { Type } from '@sinclair/typebox';
import { createSchemaCompiler } from './schema';

const parserOf = (keys: readonly string[]) =>
  createSchemaCompiler()(
    Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Optional(Type.String())])), {
      additionalProperties: false,
    }),
  );

test('a text of another form is refused with an example, once where more forms are possible', () => {
  const id = Type.String({ format: 'uuid' });
  const forms = Type.Union([id, Type.Object({ id })]);
  const parse = createSchemaCompiler()(Type.Object({ on: Type.String({ format: 'date' }), record: forms }));
  expect(parse({ on: '2026-02-31', record: 'x' })).toEqual({
    ok: false,
    errors: [
      { path: '/on', code: 'format', message: 'must be a date such as 2026-03-31' },
      { path: '/record', code: 'format', message: 'must be an id, a UUID' },
      { path: '/record', code: 'type', message: 'must be object' },
    ],
  });
});

test('a text of white space alone is refused as blank', () => {
  const parse = createSchemaCompiler()(Type.Object({ reason: Type.String({ pattern: '\\S' }) }));
  expect(parse({ reason: ' ' })).toEqual({
    ok: false,
    errors: [{ path: '/reason', code: 'pattern', message: 'must not be blank' }],
  });
});

test.each([
  ['a key that resembles it', ['amount'], 'amont', 'is not a known key; did you mean amount?'],
  ['all keys where none resembles it', ['amount', 'date'], 'colour', 'is not a known key; known keys: amount, date'],
  ['that there are none', [], 'colour', 'is not a known key; no key is known here'],
])('an unknown key is refused with %s', (_what, keys, given, message) => {
  expect(parserOf(keys)({ [given]: 'x' })).toEqual({
    ok: false,
    errors: [{ path: `/${given}`, code: expect.any(String) as string, message }],
  });
});

test.each([
  ['date', '0000-01-31'],
  ['date', '2026-02-30'],
  ['date-time', '2016-12-31T23:59:60Z'],
  ['date-time', '2026-01-31T10:00:00'],
])('a %s that no column or Date can hold is refused: %s', (format, text) => {
  expect(createSchemaCompiler()(Type.String({ format }))(text)).toMatchObject({
    ok: false,
    errors: [{ code: 'format' }],
  });
});

test.each([
  ['date', '0001-01-01'],
  ['date', '2024-02-29'],
  ['date-time', '2016-12-31T23:59:59.5+01:00'],
])('a %s is read: %s', (format, text) => {
  expect(createSchemaCompiler()(Type.String({ format }))(text)).toEqual({ ok: true, value: text });
});
