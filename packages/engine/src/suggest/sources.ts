import { withoutPath } from '../values/json';
import type { JsonObject } from '../values/types';

interface ReadingField {
  key: string;
  sourcePath: string | null;
  /** Absent or null: the field holds what it reads, in a form that can be compared. */
  transformExpr?: string | null;
}

/**
 * Returns a function that leaves out of records what a field of another name holds. Rules that are learnt would else
 * count the same evidence twice.
 */
export function withoutSources(fields: readonly ReadingField[]): (record: JsonObject) => JsonObject {
  const keys = new Set(fields.map(({ key }) => key));
  const sources = fields.flatMap(({ sourcePath, transformExpr = null }) =>
    sourcePath === null || transformExpr !== null || keys.has(sourcePath) ? [] : [sourcePath],
  );
  return (record) => sources.reduce(withoutPath, record);
}
