type Values = Readonly<Record<string, unknown>>;

const maxShown = 200;

/** The text of a value, cut so that a cell of a megabyte costs no more than any other. */
export function textOfValue(value: unknown, max = maxShown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

const cellLength = 120;

/** A value as a cell of a narrow column shows it. */
export const cellText = (value: unknown): string => textOfValue(value, cellLength);

/** Joins the texts of a record, without those that have columns of their own. */
export function wordsOf(record: Values, hidden: ReadonlySet<unknown>): string {
  const texts: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (typeof value !== 'string' || value === '' || hidden.has(key) || hidden.has(value)) continue;
    const text = cellText(value);
    if (!texts.includes(text)) texts.push(text);
    if (texts.length === 4) break;
  }
  return texts.join(' · ');
}

interface NamedRecord {
  record_id: string;
  external_id: string | null;
}

/** The name of a record; of one without, the beginning of its id. */
export const recordName = ({ external_id: name, record_id: id }: NamedRecord): string => name ?? id.slice(0, 8);

const shownNames = 3;

/** Names records, a few of many. */
export function recordNames(records: readonly NamedRecord[]): string {
  const names = records.slice(0, shownNames).map(recordName).join(', ');
  return records.length > shownNames ? `${names} … (${records.length})` : names;
}
