import { fileFormats, findOptionFaults, type ReadOptions } from '@tieout/formats';
import { CommandError } from '../failure';

/** The kind of value that the text of an option becomes. */
const kinds: Record<keyof ReadOptions, 'text' | 'number' | 'boolean'> = {
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
};

const known = Object.keys(kinds).join(', ');

/** Adds a value of an option that may be repeated. */
export const collect = (value: string, all: string[]): string[] => [...all, value];

/** Parses `option=value` texts to how a file is read. */
export function readOptionsOf(texts: readonly string[]): ReadOptions {
  const options: Record<string, unknown> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = at === -1 ? text : text.slice(0, at);
    if (at === -1 || !Object.hasOwn(kinds, name))
      throw new CommandError(
        `${text}: write option=value; options are ${known}; formats are ${fileFormats.join(', ')}`,
      );
    options[name] = valueOf(name as keyof ReadOptions, text.slice(at + 1));
  }
  const [fault] = findOptionFaults(options);
  if (fault !== undefined) throw new CommandError(`${fault.option}: ${fault.message}`);
  return options;
}

function valueOf(name: keyof ReadOptions, text: string): string | number | boolean {
  const kind = kinds[name];
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new CommandError(`${name}: is true or false, not "${text}"`);
    return text === 'true';
  }
  if (kind === 'number') return Number(text === '' ? NaN : text);
  return name === 'delimiter' && text === '\\t' ? '\t' : text;
}
