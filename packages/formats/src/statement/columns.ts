/**
 * Columns of bank statements that are no text, by name; all others are, whatever they look like: an id of digits stays what
 * it is. The reader of each format gives these names.
 */
export const statementColumns: ReadonlyMap<string, 'amount' | 'number' | 'date' | 'boolean'> = new Map([
  ['amount', 'amount'],
  ['original_amount', 'amount'],
  ['exchange_rate', 'number'],
  ['date_posted', 'date'],
  ['date_user', 'date'],
  ['date_available', 'date'],
  ['booking_date', 'date'],
  ['value_date', 'date'],
  ['is_reversal', 'boolean'],
]);
