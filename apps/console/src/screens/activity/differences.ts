export interface ChangedValue {
  field: string;
  before: string;
  after: string;
}

type Values = Readonly<Record<string, unknown>> | null | undefined;

const maxShown = 1_000;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The fields that an audit entry has changed, with their values before and after. */
export function differencesOf(before: Values, after: Values): ChangedValue[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((one) => one.before !== one.after);
}
