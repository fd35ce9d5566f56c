import { Type } from '@sinclair/typebox';
import { createSchemaCompiler } from './schema';

const parserOf = (keys: readonly string[]) =>
  createSchemaCompiler()(
    Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Optional(Type.String())])), {
      additionalProperties: false,
    }),
  );

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
