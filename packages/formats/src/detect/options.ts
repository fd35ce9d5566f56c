import { dateFormatRule, isDateFormat } from '../columns/date-format';
import { encodingNamed, supportedEncodings } from '../text/decoder';
import { fileFormats, FileUnreadableError, isStatementFormat, type FileFormat, type ReadOptions } from '../types';

/** Returns the remedy for an invalid option, by option. A check runs only where its option is given. */
const checks: Record<keyof ReadOptions, (options: ReadOptions) => string | null> = {
  format: ({ format }) =>
    messageUnless(
      fileFormats.some((known) => known === format),
      `use one of ${fileFormats.join(', ')}`,
    ),
  delimiter: ({ delimiter = '' }) =>
    messageUnless(/^[^\r\n"]$/.test(delimiter), 'give one character that is no quote and no line break'),
  quote: ({ quote = '', delimiter }) =>
    messageUnless(
      /^[^\r\n]?$/.test(quote) && quote !== delimiter,
      'give one character that is not the delimiter, or nothing for a file without quotes',
    ),
  encoding: ({ encoding = '' }) =>
    messageUnless(encodingNamed(encoding) !== undefined, `use one of ${supportedEncodings.join(', ')}`),
  decimalSeparator: ({ decimalSeparator }) =>
    messageUnless(decimalSeparator === '.' || decimalSeparator === ',', 'use "." or ","'),
  sheet: ({ sheet }) => messageUnless(sheet !== '', 'give the name of a sheet'),
  header: () => null,
  headerRow: ({ headerRow = 1, header, skipLines = 0 }) =>
    messageUnless(
      Number.isInteger(headerRow) && headerRow > skipLines && headerRow <= maxLine && header !== false,
      `give the number of the line that names the columns, from 1 to ${maxLine}, after the lines of skipLines ` +
        `and not ` +
        'with header=false',
    ),
  skipLines: ({ skipLines = 0 }) =>
    messageUnless(
      Number.isInteger(skipLines) && skipLines >= 0 && skipLines <= maxLine,
      `give the number of lines to leave out, from 0 to ${maxLine}`,
    ),
  comment: ({ comment = '', delimiter, quote }) =>
    messageUnless(
      /^[^\r\n"\s]{0,4}$/.test(comment) && (comment === '' || (comment !== delimiter && comment !== quote)),
      'give one to four characters, such as # or //, that are neither delimiter nor quote, or nothing for a file ' +
        'without remarks',
    ),
  footer: () => null,
  path: ({ path = '' }) =>
    messageUnless(
      /^[^.]+(?:\.[^.]+){0,15}$/.test(path) && path.length <= 200,
      'give the names that lead to the list of rows, with points between them, such as data.items',
    ),
  dateFormat: ({ dateFormat = '' }) => messageUnless(isDateFormat(dateFormat), dateFormatRule),
};

/** The header is found among the first lines only. */
const maxLine = 1_000;

function messageUnless(isFine: boolean, message: string): string | null {
  return isFine ? null : message;
}

export interface OptionFault {
  option: keyof ReadOptions;
  /** The remedy, to follow the option's name. */
  message: string;
}

/** Finds the options that are invalid whatever the file contains. */
export function findOptionFaults(options: ReadOptions): OptionFault[] {
  return (Object.keys(checks) as (keyof ReadOptions)[]).flatMap((option) => {
    const message = options[option] === undefined ? null : checks[option](options);
    return message === null ? [] : [{ option, message }];
  });
}

export function checkOptions(options: ReadOptions): void {
  const [fault] = findOptionFaults(options);
  if (fault !== undefined) throw new FileUnreadableError('option_invalid', `${fault.option}: ${fault.message}.`);
}

const isText = (format: FileFormat): boolean => format !== 'xlsx' && !isStatementFormat(format);

/** Returns the format to read a file in: the sender's, where the content allows it. */
export function agreedFormat<Found extends FileFormat>(given: FileFormat | undefined, found: Found): Found {
  if (given === undefined || given === found) return found;
  const isLoose = isText(given) && isText(found) && !(found === 'csv' && given !== 'tsv');
  const isSwift = /^mt94/.test(given) && /^mt94/.test(found);
  if (isLoose || isSwift) return given as Found;
  throw new FileUnreadableError(
    'format_mismatch',
    `format: it is given as ${given}, but the content is ${found}. Leave the format out, or give the right file.`,
  );
}

/** Returns the option that says nothing about a file of this format. */
export function foreignOption(format: FileFormat, { sheet, path }: ReadOptions): OptionFault | null {
  if (sheet !== undefined && format !== 'xlsx')
    return { option: 'sheet', message: `is for a workbook (XLSX), and the file is ${format}. Leave it out` };
  if (path !== undefined && format !== 'json')
    return { option: 'path', message: `is for JSON, and the file is ${format}. Leave it out` };
  return null;
}

export function refuseForeignOptions(format: FileFormat, options: ReadOptions): void {
  const fault = foreignOption(format, options);
  if (fault !== null) throw new FileUnreadableError('option_invalid', `${fault.option}: ${fault.message}.`);
}
