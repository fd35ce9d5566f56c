import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldType, Notation } from '../../kernel/ports';
import { coerce } from './coerce';

interface Case {
  name: string;
  type: FieldType;
  raw: unknown;
  value?: unknown;
  absent?: boolean;
  code?: string;
}

const cases = JSON.parse(readFileSync(join(__dirname, 'coercion-cases.json'), 'utf8')) as Case[];

describe('coercion by type', () => {
  it.each(cases)('$type: $name', ({ type, raw, value, absent, code }) => {
    const result = coerce(type, raw);
    if (absent) expect(result).toEqual({ kind: 'absent' });
    else if (code !== undefined) expect(result).toMatchObject({ kind: 'error', code });
    else expect(result).toEqual({ kind: 'value', value });
  });
});

interface NotationCase extends Case {
  notation: Notation;
}

const notationCases = JSON.parse(readFileSync(join(__dirname, 'notation-cases.json'), 'utf8')) as NotationCase[];

describe('texts in the notation of a file', () => {
  it.each(notationCases)('$type $raw with $notation', ({ type, raw, notation, value, code }) => {
    const result = coerce(type, raw, notation);
    if (code === undefined) expect(result).toEqual({ kind: 'value', value });
    else expect(result).toMatchObject({ kind: 'error', code });
  });
});

test('the error of an amount in another notation names the expected one', () => {
  expect(coerce('amount', '1.50', { decimalSeparator: ',' })).toMatchObject({
    message: expect.stringContaining('"," as decimal separator') as string,
  });
});
