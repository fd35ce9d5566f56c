import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldType } from '../datasets';
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
