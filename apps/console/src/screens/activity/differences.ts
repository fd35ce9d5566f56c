import { textOfValue } from '../../parts/words';

export interface ChangedValue {
  field: string;
  before: string;
  after: string;
}

type Values = Readonly<Record<string, unknown>> | null | undefined;

const maxShown = 1_000;

const naming = ['name', 'label', 'email', 'url', 'code'] as const;

/** Returns the name of the object of an audit entry; undefined where the entry holds none. */
export function objectNameOf(before: Values, after: Values): string | undefined {
  for (const values of [after, before])
    for (const field of naming) {
      const value = values?.[field];
      if (typeof value === 'string' && value !== '') return value;
    }
  return undefined;
}

/** Returns the month from the id of a period, which is `<reconciliation>/<month>`. */
export const monthIn = (id: string): string | undefined => /\/(\d{4}-\d{2})$/.exec(id)?.[1];

/** The side and the day of the balance that an entry states or takes back. */
export function balanceIn(before: Values, after: Values): { side: 'left' | 'right'; day: string } | undefined {
  const { side, date } = after ?? before ?? {};
  if ((side !== 'left' && side !== 'right') || typeof date !== 'string') return undefined;
  return { side, day: date };
}

/** The fields that an audit entry has changed, with their values before and after. */
export function differencesOf(before: Values, after: Values): ChangedValue[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({
      field,
      before: textOfValue(before?.[field], maxShown),
      after: textOfValue(after?.[field], maxShown),
    }))
    .filter((one) => one.before !== one.after);
}
