/** Deeper nesting is refused everywhere: readers of the data may recurse. */
export const MAX_JSON_DEPTH = 64;

export interface JsonProblem {
  code: 'nul_character' | 'invalid_text' | 'nesting_too_deep' | 'number_out_of_range' | 'not_json';
  message: string;
}

const NUL: JsonProblem = { code: 'nul_character', message: 'must not hold NUL characters' };
const SURROGATE: JsonProblem = { code: 'invalid_text', message: 'holds half of a surrogate pair' };
const DEPTH: JsonProblem = { code: 'nesting_too_deep', message: `must not be nested deeper than ${MAX_JSON_DEPTH}` };
const RANGE: JsonProblem = { code: 'number_out_of_range', message: 'holds a number that is too large' };
const NOT_JSON: JsonProblem = { code: 'not_json', message: 'is not a JSON value' };

/** With the u flag a proper pair is one character of another category. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Why a value cannot be stored as jsonb and read back the same, or null. PostgreSQL takes neither NUL nor
 * half a surrogate pair, and a number beyond a double's range would silently become null.
 */
export function textProblem(value: unknown, depth = 1): JsonProblem | null {
  switch (typeof value) {
    case 'string':
      return stringProblem(value);
    case 'number':
      return Number.isFinite(value) ? null : RANGE;
    case 'boolean':
      return null;
    case 'object':
      return value === null ? null : containerProblem(value, depth);
    default:
      return NOT_JSON;
  }
}

function containerProblem(value: object, depth: number): JsonProblem | null {
  if (depth > MAX_JSON_DEPTH) return DEPTH;
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = textProblem(item, depth + 1);
      if (problem) return problem;
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const problem = stringProblem(key) ?? textProblem((value as Record<string, unknown>)[key], depth + 1);
    if (problem) return problem;
  }
  return null;
}

function stringProblem(text: string): JsonProblem | null {
  if (text.includes('\0')) return NUL;
  return LONE_SURROGATE.test(text) ? SURROGATE : null;
}
