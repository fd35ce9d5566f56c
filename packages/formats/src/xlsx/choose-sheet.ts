import { FileUnreadableError, type GivenOptions, type ReadingWarning } from '../types';
import { readPart } from './part';
import { chooseSheet, type Sheet, type Workbook } from './workbook';
import type { ZipParts } from './zip';

/** Sheets that are looked at, and pieces of each. */
const maxSheets = 20;
const maxPieces = 16;
/** Sheets that are offered in place of the one that is read. */
const maxOffered = 20;

/** Chooses the first visible sheet with values, and warns about others; the sender may name one. */
export async function sheetToRead(
  zip: ZipParts,
  { sheets }: Workbook,
  { sheet: name }: GivenOptions,
): Promise<{ sheet: Sheet; warnings: ReadingWarning[] }> {
  const first = chooseSheet(sheets, name);
  if (name !== undefined) return { sheet: first, warnings: [] };
  const filled: Sheet[] = [];
  for (const sheet of sheets.filter(({ isVisible }) => isVisible).slice(0, maxSheets))
    if (await hasValues(zip, sheet)) filled.push(sheet);
  const [sheet = first, ...others] = filled;
  return { sheet, warnings: others.length === 0 ? [] : [sheetsSkipped(sheet, others)] };
}

/** Returns whether a sheet has a value; true for one that cannot be read, so that reading it reports why. */
async function hasValues(zip: ZipParts, { part }: Sheet): Promise<boolean> {
  let isFound = false;
  let pieces = 0;
  const open = (element: string): void => {
    isFound ||= element === 'v' || element === 't';
  };
  try {
    for await (const _ of readPart(zip, part, { open, text: () => undefined, close: () => undefined }))
      if (isFound || ++pieces >= maxPieces) break;
  } catch (error) {
    if (error instanceof FileUnreadableError) return true;
    throw error;
  }
  return isFound;
}

function sheetsSkipped(sheet: Sheet, others: readonly Sheet[]): ReadingWarning {
  const names = others
    .map(({ name }) => `"${name}"`)
    .join(', ')
    .slice(0, 200);
  const message = `The sheet "${sheet.name}" is read. Others have values too and are not read: ${names}`;
  const remedies = others.slice(0, maxOffered).map(({ name }) => ({ option: 'sheet' as const, value: name }));
  return { code: 'sheets_skipped', column: null, message, remedies };
}
