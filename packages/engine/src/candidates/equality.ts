import { noDay } from '../values/calendar';
import { amountToNumber, readAmount } from '../values/decimal';
import { readPath, withoutPath } from '../values/json';
import type { RecordKeys } from '../definition/types';
import type { JsonObject } from '../values/types';

/** The place of a record: its amount or the rest of it, NaN without one, and its day or `noDay`. */
interface PlacedBy {
  units: number;
  scale: number;
  day: number;
}

/**
 * Returns two texts of what a rule set reads of a record: records are the `same` where one text is, and `alike` where
 * the other is, which has amount and day as read in place of how they are written. Records of which groups hold a part
 * are equal only where both their amounts and their rests are: expressions see the amounts.
 */
export function equalityTexts(
  value: JsonObject,
  { units, scale, day }: PlacedBy,
  keys: RecordKeys,
): Record<'same' | 'alike', string> {
  const remaining = Number.isNaN(units) ? null : amountToNumber(units, scale);
  const amount = readAmount(readPath(value, keys.amount));
  const rest = amount.ok ? withoutPath(value, keys.amount) : value;
  const readings = [
    day === noDay ? rest : withoutPath(rest, keys.date),
    amount.ok ? amountToNumber(amount.units, amount.scale) : null,
    remaining,
    day,
  ];
  return { same: JSON.stringify([value, remaining]), alike: JSON.stringify(readings) };
}
