import type { TObject } from '@sinclair/typebox';
import { findInText, pointerTo, type FieldError } from '@tieout/infra';

interface PropertySchema {
  type?: unknown;
}

/** Splits a query string by a schema; a parameter that occurs twice is a fault unless its schema is an array. */
export type QueryReader = (search: string) => { values: Record<string, string | string[]>; errors: FieldError[] };

export function queryReader(schema: TObject | undefined): QueryReader {
  const properties = (schema?.properties ?? {}) as Record<string, PropertySchema>;
  const patterns = Object.entries((schema?.['patternProperties'] ?? {}) as Record<string, PropertySchema>).map(
    ([pattern, property]) => ({ pattern: new RegExp(pattern, 'u'), property }),
  );
  const schemaOf = (name: string): PropertySchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : patterns.find(({ pattern }) => pattern.test(name))?.property;

  return (search) => {
    const values = Object.create(null) as Record<string, string | string[]>;
    const errors: FieldError[] = [];
    if (search === '') return { values, errors };
    for (const [name, value] of new URLSearchParams(search)) {
      const path = `/query${pointerTo(name)}`;
      const fault = findInText(name, '/query') ?? findInText(value, path);
      if (fault) errors.push(fault);
      const previous = values[name];
      if (schemaOf(name)?.type === 'array') values[name] = Array.isArray(previous) ? [...previous, value] : [value];
      else if (previous === undefined) values[name] = value;
      else errors.push({ path, code: 'duplicate_parameter', message: 'is given more than once' });
    }
    return { values, errors };
  };
}
