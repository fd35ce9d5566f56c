/**
 * The columns of bank statements that are not text, by name. All others are text, also when they look like numbers: an
 * id keeps its digits. The reader of each format produces these names.
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
