/** Changes that break the running version after a migration. */
const breaking: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops a table', /\bdrop\s+table\b/],
  [
    'drops a column',
    /\balter\s+table\b.*\bdrop\s+(?!constraint\b|not\s+null\b|default\b|expression\b|identity\b)(column\s+)?\S+/,
  ],
  ['drops a default', /\balter\s+column\b.*\bdrop\s+default\b/],
  [
    'drops a type, view, function or schema',
    /\bdrop\s+(type|view|materialized\s+view|function|procedure|schema|sequence)\b/,
  ],
  ['renames', /\brename\b/],
  ['changes the type of a column', /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/],
  ['makes a column that may be empty required', /\balter\s+column\s+\S+\s+set\s+not\s+null\b/],
  ['deletes rows', /\b((?<!\bbefore\s)truncate|delete\s+from)\b/],
];

/** Definition of each added column. */
const requiredWithoutDefault =
  /\badd\s+column\b(?:(?!,\s*add\s+column\b).)*?\bnot\s+null\b(?:(?!,\s*add\s+column\b).)*/g;

/** A migration that removes something says so in its first line, and why it is unused. */
export const contractLine = /^-- Contract: \S.{20,}/;

/**
 * Lists the reasons why a migration is not safe beside the version before: none when it is.
 * Comments and bodies of functions do not count.
 */
export function breakingChanges(sql: string): string[] {
  if (contractLine.test(sql)) return [];
  const statements = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\$\$[^]*?\$\$/g, ' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .split(';');
  return statements.flatMap((statement) => [
    ...breaking.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what),
    ...[...statement.matchAll(requiredWithoutDefault)]
      .filter(([column]) => !/\bdefault\b|\bgenerated\b/.test(column))
      .map(() => 'adds a required column without a default'),
  ]);
}
