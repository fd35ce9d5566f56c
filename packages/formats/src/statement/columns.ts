/**
 * The columns of bank statements that are not text, by name. All others are text, also when they look like numbers: an
 * id keeps its digits. The reader of each format produces these names.
 */
export const statementColumns: ReadonlyMap<string, 'amount' | 'number' | 'date' | 'datetime' | 'boolean' | 'array'> =
  new Map([
    ...of('amount', ['amount', 'original_amount', 'charges', 'total', 'commission', 'fees', 'load', 'taxes']),
    ...of('amount', ['withholding', 'accrued_interest', 'transfer_amount']),
    ...of('number', ['exchange_rate', 'batch_count', 'units', 'unit_price']),
    ...of('date', ['date', 'date_posted', 'date_user', 'date_available', 'settlement_date']),
    ...of('date', ['booking_date', 'value_date']),
    ...of('datetime', ['reported_at']),
    ...of('boolean', ['is_reversal']),
    ...of('array', ['details', 'references', 'splits']),
  ]);

function of<T extends string>(type: T, columns: readonly string[]): [string, T][] {
  return columns.map((column) => [column, type]);
}
