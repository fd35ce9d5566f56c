import type { FileUpload } from '@tieout/client';
import { fileFormats, findOptionFaults, type ReadOptions } from '@tieout/formats';
import { CommandError } from '../failure';

/** Options of an upload that say what becomes of the rows. The service checks their values. */
const rowOptions = ['identity', 'equalRows', 'replaces'] as const;

export type UploadReading = ReadOptions & Pick<FileUpload, (typeof rowOptions)[number]>;

/** The kind of value that the text of an option becomes. */
const kinds: Record<keyof UploadReading, 'text' | 'number' | 'boolean'> = {
  format: 'text',
  delimiter: 'text',
  quote: 'text',
  encoding: 'text',
  decimalSeparator: 'text',
  sheet: 'text',
  header: 'boolean',
  headerRow: 'number',
  skipLines: 'number',
  comment: 'text',
  footer: 'boolean',
  path: 'text',
  dateFormat: 'text',
  identity: 'text',
  equalRows: 'text',
  replaces: 'text',
};

export const uploadOptions: readonly string[] = Object.keys(kinds);
const readerOptions = uploadOptions.filter((name) => !rowOptions.some((one) => one === name));

/** Adds a value of an option that may be repeated. */
export const collect = (value: string, all: string[]): string[] => [...all, value];

/** Parses `option=value` texts to how a file is read. */
export const readOptionsOf = (texts: readonly string[]): ReadOptions => parsed(texts, readerOptions);

/** Parses `option=value` texts to how an uploaded file is read, and what becomes of its rows. */
export const uploadReadingOf = (texts: readonly string[]): UploadReading => parsed(texts, uploadOptions);

function parsed(texts: readonly string[], known: readonly string[]): UploadReading {
  const options: Record<string, unknown> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = at === -1 ? text : text.slice(0, at);
    if (at === -1 || !known.includes(name))
      throw new CommandError(
        `${text}: write option=value; options are ${known.join(', ')}; formats are ${fileFormats.join(', ')}`,
      );
    options[name] = valueOf(name as keyof UploadReading, text.slice(at + 1));
  }
  const [fault] = findOptionFaults(options);
  if (fault !== undefined) throw new CommandError(`${fault.option}: ${fault.message}`);
  return options;
}

function valueOf(name: keyof UploadReading, text: string): string | number | boolean {
  const kind = kinds[name];
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new CommandError(`${name}: is true or false, not "${text}"`);
    return text === 'true';
  }
  if (kind === 'number') return Number(text === '' ? NaN : text);
  return name === 'delimiter' && text === '\\t' ? '\t' : text;
}
