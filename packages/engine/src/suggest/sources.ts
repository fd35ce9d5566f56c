import { withoutPath } from '../values/json';
import type { JsonObject } from '../values/types';

interface ReadingField {
  key: string;
  sourcePath: string | null;
  /** Absent or null: the field holds the value it reads, in a comparable form. */
  transformExpr?: string | null;
}

/**
 * Returns a function that removes from records the values that a field of another name holds too. Learnt rules would
 * otherwise count the same evidence twice.
 */
export function withoutSources(fields: readonly ReadingField[]): (record: JsonObject) => JsonObject {
  const keys = new Set(fields.map(({ key }) => key));
  const sources = fields.flatMap(({ sourcePath, transformExpr = null }) =>
    sourcePath === null || transformExpr !== null || keys.has(sourcePath) ? [] : [sourcePath],
  );
  return (record) => sources.reduce(withoutPath, record);
}
