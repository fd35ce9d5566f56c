import { limits } from '../limits';
import { readWholePart } from './part';
import type { ZipParts } from './zip';

/** The kind of number that a cell format shows: a plain number, or a point in time with a date, a time or both. */
export type NumberKind = 'number' | 'date' | 'time' | 'datetime';

/** Reads the kind of each cell format, by the index that cells name (`s`). */
export async function readNumberKinds(zip: ZipParts, part: string | null): Promise<NumberKind[]> {
  const kinds: NumberKind[] = [];
  if (part === null || !zip.has(part)) return kinds;
  const custom = new Map<number, string>();
  let inCellFormats = false;
  await readWholePart(zip, part, {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt' && custom.size < limits.cellFormats) custom.set(id, attributes.formatCode ?? '');
      else if (name === 'cellXfs') inCellFormats = true;
      else if (name === 'xf' && inCellFormats && kinds.length < limits.cellFormats)
        kinds.push(numberKind(id, custom.get(id)));
    },
    text: () => undefined,
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return kinds;
}

/** Returns the kind of the built-in formats of ECMA-376 part 1, 18.8.30, including those of East Asian editions. */
function builtInKind(id: number): NumberKind {
  if (id === 22) return 'datetime';
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35)) return 'time';
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'number';
}

/** Matches quoted and escaped text, widths, colours and conditions of a format code. */
const literalParts = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtInKind(id);
  const plain = code.slice(0, 1_000).replace(literalParts, '').split(';')[0]?.toLowerCase() ?? '';
  // A format that counts hours beyond 24 shows a duration, not a point in time.
  if (/\[(h+|m+|s+)\]/.test(plain) || /general|[0#?]/.test(plain.replace(/\.0+/g, ''))) return 'number';
  const hasTime = /[hs]/.test(plain);
  const hasDate = /[yd]/.test(plain) || (plain.includes('m') && !hasTime);
  if (hasDate) return hasTime ? 'datetime' : 'date';
  return hasTime ? 'time' : 'number';
}

const secondsPerDay = 86_400;
const msPerDay = 86_400_000;
const days1900To1970 = 25_569;
const days1900To1904 = 1_462;
/** Excel counts 29 February 1900, which never existed, as day 60. */
const falseLeapDay = 60;
const lastSerialDay = 2_958_465;

/**
 * Formats a day number of Excel as ISO text, as far as its cell format shows it. Returns null outside Excel's calendar.
 */
export function serialText(serial: number, kind: Exclude<NumberKind, 'number'>, from1904: boolean): string | null {
  const seconds = Math.round(serial * secondsPerDay);
  const day = Math.floor(seconds / secondsPerDay) + (from1904 ? days1900To1904 : 0);
  if (!(seconds >= 0 && day <= lastSerialDay)) return null;
  const timeOfDay = new Date((seconds % secondsPerDay) * 1000).toISOString().slice(11, 19);
  if (kind === 'time' && serial < 1) return timeOfDay;
  const actual = day < falseLeapDay && !from1904 ? day + 1 : day;
  const date = new Date((actual - days1900To1970) * msPerDay).toISOString().slice(0, 10);
  return kind === 'date' ? date : `${date}T${timeOfDay}`;
}
