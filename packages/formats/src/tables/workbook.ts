import { headerRow, mainNamespace, rowXml, sheetEnd, sheetStart, stylesXml, xmlHead } from './sheet-xml';
import type { Table, TableRow } from './table';
import { zipOf, type ZipEntry } from './zip';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Rows of a sheet, the header among them: what spreadsheets take. */
const maxSheetRows = 1_048_576;
/** Characters of a sheet, after which the next one begins: a part without ZIP64 takes 4 GiB of bytes. */
const maxSheetChars = 2 ** 30;
const chunkChars = 64 * 1024;

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const spreadsheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

interface WorkbookOptions {
  /** Stands in the archive as the time of its parts. */
  at: Date;
  maxRows?: number;
}

/**
 * Writes a workbook with one sheet per table, at the pace of its reader. A table with more rows than a sheet can hold
 * continues on another sheet, under its header.
 */
export function workbookOf(
  tables: readonly Table[],
  { at, maxRows = maxSheetRows }: WorkbookOptions,
): AsyncGenerator<Buffer, void, void> {
  return zipOf(partsOf(tables, maxRows), at);
}

async function* partsOf(tables: readonly Table[], maxRows: number): AsyncGenerator<ZipEntry, void, void> {
  const names: string[] = [];
  for (const table of tables) {
    const rows = rowsOf(table);
    try {
      let next = await rows.next();
      let sheets = 0;
      do {
        sheets++;
        names.push(sheets === 1 ? table.title : `${table.title} (${sheets})`);
        const sheet = async function* (): AsyncGenerator<string, void, void> {
          yield sheetStart(table.columns) + headerRow(table.columns);
          let chars = 0;
          for (let number = 2; number <= maxRows && chars < maxSheetChars && !next.done; number++) {
            const xml = rowXml(table.columns, number, next.value);
            chars += xml.length;
            yield xml;
            next = await rows.next();
          }
          yield sheetEnd;
        };
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content: chunksOf(sheet()) };
      } while (!next.done);
    } finally {
      await rows.return();
    }
  }
  for (const [name, text] of Object.entries(packageParts(names))) yield { name, content: [Buffer.from(text)] };
}

async function* rowsOf({ pages }: Table): AsyncGenerator<TableRow, void, void> {
  for await (const page of pages()) yield* page;
}

/** Joins texts to chunks that are worth packing. */
async function* chunksOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void, void> {
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (pending.length < chunkChars) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  yield Buffer.from(pending);
}

/** The parts that name the sheets; they come last, because only then all sheets are known. */
function packageParts(names: readonly string[]): Record<string, string> {
  const sheets = names.map((name, at) => ({ name, id: `rId${at + 1}`, part: `worksheets/sheet${at + 1}.xml` }));
  const relationship = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${spreadsheetTypes}.${type}+xml"/>`;
  const ofSheets = (text: (sheet: (typeof sheets)[number], number: number) => string): string =>
    sheets.map((sheet, at) => text(sheet, at + 1)).join('');
  const stylesId = `rId${sheets.length + 1}`;
  return {
    'xl/styles.xml': stylesXml,
    'xl/workbook.xml':
      `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${relationships}"><sheets>` +
      ofSheets(({ name, id }, number) => `<sheet name="${name}" sheetId="${number}" r:id="${id}"/>`) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${xmlHead}<Relationships xmlns="${packageRelationships}">` +
      ofSheets(({ id, part }) => relationship(id, 'worksheet', part)) +
      `${relationship(stylesId, 'styles', 'styles.xml')}</Relationships>`,
    '_rels/.rels':
      `${xmlHead}<Relationships xmlns="${packageRelationships}">` +
      `${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    '[Content_Types].xml':
      `${xmlHead}<Types xmlns="${contentTypes}">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      override('workbook.xml', 'sheet.main') +
      override('styles.xml', 'styles') +
      ofSheets(({ part }) => override(part, 'worksheet')) +
      '</Types>',
  };
}
