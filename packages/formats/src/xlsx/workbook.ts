import path from 'node:path';
import { limits } from '../limits';
import { FileUnreadableError } from '../types';
import type { XmlAttributes } from '../xml/xml-reader';
import { readWholePart } from './part';
import type { ZipParts } from './zip';

export interface Sheet {
  name: string;
  isVisible: boolean;
  /** Name of the part with the sheet's rows. */
  part: string;
}

export interface Workbook {
  /** The sheets of cells, including hidden ones, in the order of the workbook. */
  sheets: Sheet[];
  /** True when days are counted from 1904 instead of 1900. */
  from1904: boolean;
  sharedTextsPart: string | null;
  stylesPart: string | null;
}

interface Relation {
  id: string;
  /** The last segment of the type, `worksheet` or `styles`, which is the same in all editions of the standard. */
  kind: string;
  part: string;
}

/** Reads the sheets of a workbook and the locations of its parts. */
export async function readWorkbook(zip: ZipParts): Promise<Workbook> {
  const main = (await readRelations(zip, '')).find(({ kind }) => kind === 'officeDocument')?.part ?? 'xl/workbook.xml';
  if (!zip.has(main) || !/\.xml$/.test(main)) throw notAWorkbook(zip);
  const relations = await readRelations(zip, main);
  const declared: XmlAttributes[] = [];
  let from1904 = false;
  let isWorkbook = false;
  await readWholePart(zip, main, {
    open: (name, attributes) => {
      isWorkbook ||= name === 'workbook';
      if (name === 'sheet' && declared.length < limits.sheets) declared.push(attributes);
      if (name === 'workbookPr') from1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '');
    },
    text: () => undefined,
    close: () => undefined,
  });
  if (!isWorkbook) throw notAWorkbook(zip);
  const partOf = (kind: string): string | null => relations.find((relation) => relation.kind === kind)?.part ?? null;
  return {
    sheets: declared.flatMap((attributes) => sheetOf(attributes, relations)),
    from1904,
    sharedTextsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
  };
}

/** Returns a sheet of cells. Charts and macros have another kind of relation. */
function sheetOf(attributes: XmlAttributes, relations: readonly Relation[]): Sheet[] {
  const id = Object.entries(attributes).find(([name]) => name === 'id' || name.endsWith(':id'))?.[1];
  const relation = relations.find((candidate) => candidate.id === id && candidate.kind === 'worksheet');
  if (relation === undefined || attributes.name === undefined) return [];
  return [{ name: attributes.name, isVisible: (attributes.state ?? 'visible') === 'visible', part: relation.part }];
}

/** Reads the relations of a part, or of the whole package for ''. */
async function readRelations(zip: ZipParts, part: string): Promise<Relation[]> {
  const folder = path.posix.dirname(part);
  const name = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!zip.has(name)) return relations;
  await readWholePart(zip, name, {
    open: (element, { Id: id, Type: type, Target: target }) => {
      if (element !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      if (relations.length >= limits.zipEntries) return;
      relations.push({
        id,
        kind: type.slice(type.lastIndexOf('/') + 1),
        part: path.posix.resolve('/', folder, target).slice(1),
      });
    },
    text: () => undefined,
    close: () => undefined,
  });
  return relations;
}

const otherArchives: readonly { holds: RegExp; message: string }[] = [
  { holds: /^xl\/workbook\.bin$/, message: 'The file is a binary workbook (.xlsb). Save it as .xlsx and use that.' },
  {
    holds: /^(content\.xml|META-INF\/manifest\.xml)$/,
    message: 'The file is an OpenDocument file (.ods, .odt). Save it as .xlsx or CSV and use that.',
  },
  { holds: /^word\//, message: 'The file is a Word document. Export the rows as CSV or XLSX and use that file.' },
  { holds: /^ppt\//, message: 'The file is a presentation. Export the rows as CSV or XLSX and use that file.' },
  {
    holds: /^Index\/Document\.iwa$/,
    message: 'The file is a Numbers document. Export it as Excel or CSV and use that file.',
  },
];

function notAWorkbook(zip: ZipParts): FileUnreadableError {
  const known = otherArchives.find(({ holds }) => zip.names.some((name) => holds.test(name)));
  return new FileUnreadableError(
    'format_unsupported',
    known?.message ??
      'The file is a ZIP archive without a workbook in it. Unpack it and use the files in it one by one.',
  );
}

/** Returns the sheet of that name, else the first visible one. */
export function chooseSheet(sheets: readonly Sheet[], name: string | undefined): Sheet {
  const chosen =
    name === undefined
      ? (sheets.find(({ isVisible }) => isVisible) ?? sheets[0])
      : sheets.find((sheet) => sheet.name === name);
  if (chosen !== undefined) return chosen;
  if (sheets.length === 0)
    throw new FileUnreadableError('file_empty', 'The workbook has no sheet with cells. Use one that has rows.');
  const names = sheets
    .map((sheet) => `"${sheet.name}"`)
    .join(', ')
    .slice(0, 1_000);
  throw new FileUnreadableError(
    'sheet_not_found',
    `sheet: the workbook has no sheet "${name ?? ''}". It has ${names}.`,
  );
}
