import type { ColumnType, DecimalSeparator, GivenOptions, ReadingWarning } from '../types';
import { DateColumn } from './dates';
import { CurrencyColumn, currenciesWarning } from './currencies';
import { DecimalColumn } from './decimals';
import { isCode, isIdentifierName } from './identifiers';
import { meaningOf, namesDays } from './names';
import { SerialColumn } from './serials';
import { mixedTypes } from './mixed';
import { typeByLook, type ColumnValue } from './types';
import { UnitColumn, unitsWarning } from './units';
import { YearlessColumn } from './yearless';

export interface ColumnFormats {
  decimalSeparator: DecimalSeparator | null;
  decimalSeparators: Record<string, DecimalSeparator>;
  dateFormats: Record<string, string>;
  types: Record<string, ColumnType>;
  warnings: ReadingWarning[];
}

const maxWarnedColumns = 100;
/** Number of rows from which types are inferred. */
const maxTypedRows = 300;

/**
 * Detects the formats of numbers and dates, column by column. A column whose dates allow either order takes the order
 * that the other columns of the file prove. Options of the sender come first. A value with several readings and no
 * proof becomes a warning.
 */
export function columnFormats(
  headers: readonly string[],
  rows: readonly (readonly unknown[])[],
  options: GivenOptions,
): ColumnFormats {
  const columns = headers.map((name) => ({
    name,
    decimals: new DecimalColumn(),
    dates: new DateColumn(),
    serials: new SerialColumn(name),
    yearless: new YearlessColumn(name),
    units: new UnitColumn(name),
    currencies: new CurrencyColumn(),
  }));
  for (const row of rows) {
    for (const [index, column] of columns.entries()) {
      const value = row[index];
      if (typeof value === 'number') column.serials.add(value);
      if (typeof value !== 'string') continue;
      column.decimals.add(value);
      if (!isCode(column.name, value.trim())) column.dates.add(value);
      column.serials.add(value);
      column.yearless.add(value);
      column.units.add(value);
      column.currencies.add(value);
    }
  }
  const order = onlyOne(columns.map(({ dates }) => dates.provenOrder));
  const dateFormats: Record<string, string> = {};
  const decimalSeparators: Record<string, DecimalSeparator> = {};
  for (const { name, dates, decimals, yearless } of columns) {
    if (yearless.verdict !== null) continue;
    const date = options.dateFormat ?? (order === null ? dates.verdict : dates.withOrder(order));
    if (date !== null) dateFormats[name] = date;
    const decimal = options.decimalSeparator ?? decimals.verdict;
    if (decimal !== null) decimalSeparators[name] = decimal;
  }
  const decimalSeparator = options.decimalSeparator ?? onlyOne(Object.values(decimalSeparators));
  const types: Record<string, ColumnType> = {};
  const valuesOf = new Map<string, ColumnValue[]>();
  const doubtful = new Map<string, string>();
  const first = rows.slice(0, maxTypedRows);
  for (const [index, name] of headers.entries()) {
    const notation = {
      decimalSeparator: decimalSeparators[name] ?? decimalSeparator ?? undefined,
      dateFormat: dateFormats[name],
    };
    const values = first.map((row) => ({ value: row[index], notation }));
    const { type, looked } = typeByLook(name, values);
    types[name] = type;
    if (looked !== undefined) doubtful.set(name, looked);
    else if (type === 'string') valuesOf.set(name, values);
  }
  const warnings = columns.slice(0, maxWarnedColumns).flatMap((column): ReadingWarning[] => {
    const { name, dates, decimals, serials, yearless, units, currencies } = column;
    const isText = types[name] === 'string';
    if (yearless.verdict !== null) return [yearlessWarning(name, yearless.verdict, options)];
    return [
      ...(doubtful.has(name) ? [numbersAsText(name, doubtful.get(name) ?? '', options)] : []),
      ...(units.verdict !== null && isText ? [unitsWarning(name, units.verdict, options.isLocal)] : []),
      ...(serials.verdict === null ? [] : [serialWarning(name, serials.verdict, options)]),
      ...(decimalSeparator === null && decimals.ambiguous !== null && dateFormats[name] === undefined
        ? [numberWarning(name, decimals.ambiguous)]
        : []),
      ...(dates.ambiguous !== null && dateFormats[name] === undefined ? [dateWarning(name, dates.ambiguous)] : []),
      ...(dates.otherCalendar === null ? [] : [calendarWarning(name, dates.otherCalendar)]),
      ...(decimals.shortened === null ? [] : [shortenedWarning(name, decimals.shortened)]),
      ...(!isText && currencies.mixed.length > 0 ? [currenciesWarning(name, currencies.mixed)] : []),
      ...(isText && units.verdict === null ? textWarning(column, valuesOf.get(name) ?? [], options) : []),
    ];
  });
  return { decimalSeparator, decimalSeparators, dateFormats, types, warnings };
}

/** Warns about a column that stays text although the sender's options, its name or its values say something else. */
function textWarning(
  { name, dates, decimals }: { name: string; dates: DateColumn; decimals: DecimalColumn },
  values: readonly ColumnValue[],
  options: GivenOptions,
): ReadingWarning[] {
  const { dateFormat, decimalSeparator } = options;
  if (dateFormat !== undefined && dates.areDates) return [unfitWarning(name, 'dateFormat', dateFormat, dates.example)];
  if (decimalSeparator !== undefined && !isIdentifierName(name) && decimals.areNumbers)
    return [unfitWarning(name, 'decimalSeparator', decimalSeparator, decimals.example)];
  const found = mixedWarning(name, values, { dates, decimals, options });
  if (found.length > 0 || dates.ambiguous !== null || decimals.areNumbers) return found;
  if (namesDays(name) && !isIdentifierName(name) && dates.areAlike) return [noneWarning(name, 'dates', dates.odd[0])];
  return meaningOf(name) === 'money' && decimals.areAlike ? [noneWarning(name, 'amounts', decimals.odd[0])] : [];
}

/** Warns about a column that stays text although most of its values have a type. */
function mixedWarning(
  column: string,
  values: readonly ColumnValue[],
  { dates, decimals, options }: { dates: DateColumn; decimals: DecimalColumn; options: GivenOptions },
): ReadingWarning[] {
  if (dates.mixed.length > 0) return [notationsWarning('dates', column, dates.mixed, options)];
  if (decimals.mixed.length > 0 && !isIdentifierName(column))
    return [notationsWarning('amounts', column, decimals.mixed, options)];
  const [kind, odd] = dates.isMostlyDates
    ? (['dates', dates.odd] as const)
    : decimals.isMostlyNumeric
      ? (['amounts', decimals.odd] as const)
      : ([] as const);
  if (kind === undefined) return manyDigits(column, decimals) ?? mixedTypes(column, values, options.isLocal);
  const message =
    `Most values are ${kind}, but ${quoted(odd)} are not, so the column stays text. Correct these cells and read ` +
    'the file again' +
    orForField(options, 'name the notation; a field of that type reads the others');
  return [{ code: `column_mostly_${kind}`, column, message, ...fieldRemedy(kind, options) }];
}

const optionOf = { dates: 'dateFormat', amounts: 'decimalSeparator' } as const;

/** The other remedy of a column: a field of a dataset, which files that are read without one do not have. */
const orForField = ({ isLocal }: GivenOptions, remedy: string): string => (isLocal ? '' : `, or ${remedy}`);

const fieldRemedy = (kind: keyof typeof optionOf, { isLocal }: GivenOptions): Pick<ReadingWarning, 'remedies'> =>
  isLocal ? {} : { remedies: [{ option: optionOf[kind], value: null }] };

/** Warns about a column of numbers with more digits than numbers keep; null where it is none. */
function manyDigits(column: string, decimals: DecimalColumn): ReadingWarning[] | null {
  const { tooLong } = decimals;
  if (tooLong === null || isIdentifierName(column)) return null;
  const message =
    `Values such as "${tooLong.slice(0, 40)}" have more digits than a number keeps exactly, so the column stays ` +
    'text. Round them and read the file again, or compare them as texts';
  return [{ code: 'number_not_exact', column, message }];
}

const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell.slice(0, 40)}"`).join(', ');

/** Warns about a column whose values are written in several ways, none of which prevails. */
function notationsWarning(
  kind: 'amounts' | 'dates',
  column: string,
  cells: readonly string[],
  options: GivenOptions,
): ReadingWarning {
  const message =
    `The column mixes notations of ${kind}: ${quoted(cells)}, so it stays text. Write all of them in one way and ` +
    'read the file again' +
    orForField(options, 'name the one that holds; a field of that type refuses the others');
  return { code: `column_mostly_${kind}`, column, message, ...fieldRemedy(kind, options) };
}

function numberWarning(column: string, example: string): ReadingWarning {
  const [grouped, decimal] = [example.replace(/[.,]/g, ''), example.replace(',', '.')];
  const open = `"${example}" can be ${grouped} or ${decimal}, and nothing in the file tells.`;
  const [message, values] = example.includes('.')
    ? [`${open} It is read as ${decimal}`, [',']]
    : [`${open} It is read as no number. With "." as the separator it is ${grouped}, with "," ${decimal}`, ['.', ',']];
  const remedies = values.map((value) => ({ option: 'decimalSeparator' as const, value }));
  return { code: 'ambiguous_number', column, message, remedies };
}

function serialWarning(
  column: string,
  { example, day, unit }: NonNullable<SerialColumn['verdict']>,
  { isLocal }: GivenOptions,
): ReadingWarning {
  const [what, remedy] =
    unit === 'day'
      ? [
          'the number that Excel has for',
          'give the column a format of dates in Excel, save the file again and use that',
        ]
      : [
          `${unit}s since 1970, for`,
          isLocal
            ? 'write it as YYYY-MM-DD'
            : `a field with the expression $fromMillis(\`${column}\`${unit === 'second' ? ' * 1000' : ''}) reads it`,
        ];
  const message = `"${example}" looks like ${what} ${day}. It is no date here: ${remedy}`;
  return { code: 'serial_dates', column, message };
}

function numbersAsText(column: string, example: string, { isLocal }: GivenOptions): ReadingWarning {
  const message =
    `Whole numbers such as "${example}" look like identifiers, so that the column stays text. If they say how much, ` +
    (isLocal
      ? 'write them with decimals'
      : 'give the dataset a field of type number or amount for it before the upload');
  return { code: 'numbers_as_text', column, message };
}

function yearlessWarning(
  column: string,
  { example, meaning }: NonNullable<YearlessColumn['verdict']>,
  { isLocal }: GivenOptions,
): ReadingWarning {
  const asAmounts = isLocal ? 'write them with decimals' : 'give it a field of type amount';
  const message =
    meaning === 'day'
      ? `"${example}" looks like a day without a year. The column stays text: add the year and read the file again`
      : meaning === 'month'
        ? `"${example}" looks like a month. The column stays text: if it holds amounts, ${asAmounts}`
        : `"${example}" looks like a time of day. The column stays text: if it holds amounts, give it another name`;
  return { code: 'ambiguous_date', column, message };
}

function dateWarning(
  column: string,
  { example, formats }: { example: string; formats: readonly string[] },
): ReadingWarning {
  const message = `"${example}" can be ${formats.join(' or ')}, and nothing in the file tells. It is read as no date`;
  const remedies = formats.map((value) => ({ option: 'dateFormat' as const, value }));
  return { code: 'ambiguous_date', column, message, remedies };
}

function calendarWarning(column: string, example: string): ReadingWarning {
  const message =
    `"${example}" is far from today, as years of the Buddhist, Persian and Islamic calendars are. It is read as a ` +
    'year of the Gregorian calendar: convert the dates and read the file again';
  return { code: 'other_calendar', column, message };
}

function shortenedWarning(column: string, example: string): ReadingWarning {
  const message =
    `"${example}" is how spreadsheets shorten long numbers: its last digits may be lost. Give the column the format ` +
    'of text or of numbers without decimals there, save the file again and use that';
  return { code: 'number_not_exact', column, message };
}

/** Warns about an option in which a column that looks like dates or amounts cannot be read. */
function unfitWarning(
  column: string,
  option: 'dateFormat' | 'decimalSeparator',
  given: string,
  example: string,
): ReadingWarning {
  const message =
    `Values such as "${example.slice(0, 40)}" are not written with ${option}="${given}", so the column stays text. ` +
    `Give the ${option} that holds, or none`;
  return { code: option === 'dateFormat' ? 'column_mostly_dates' : 'column_mostly_amounts', column, message };
}

/** Warns about a column of which the name promises what no value is. */
function noneWarning(column: string, what: 'dates' | 'amounts', example = ''): ReadingWarning {
  const remedy =
    what === 'dates' ? 'Name their dateFormat, or write the dates as YYYY-MM-DD' : 'Write them in digits alone';
  const message =
    `The column is named as ${what} are, but "${example.slice(0, 40)}" is read as none, so that it stays text. ` +
    `${remedy}, and read the file again`;
  return { code: `column_mostly_${what}`, column, message };
}

/** Returns the value on which all non-null values agree. */
function onlyOne<T>(values: readonly (T | null)[]): T | null {
  const distinct = new Set(values.filter((value) => value !== null));
  return distinct.size === 1 ? ([...distinct][0] as T) : null;
}
