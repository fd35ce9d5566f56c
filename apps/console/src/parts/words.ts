type Values = Readonly<Record<string, unknown>>;

const maxShown = 200;

/** The text of a value, cut so that a cell of a megabyte costs no more than any other. */
export function textOfValue(value: unknown, max = maxShown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Joins the texts of a record, without those that have columns of their own. */
export function wordsOf(record: Values, hidden: ReadonlySet<unknown>): string {
  const texts: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (typeof value !== 'string' || value === '' || hidden.has(key) || hidden.has(value)) continue;
    const text = textOfValue(value, 120);
    if (!texts.includes(text)) texts.push(text);
    if (texts.length === 4) break;
  }
  return texts.join(' · ');
}
