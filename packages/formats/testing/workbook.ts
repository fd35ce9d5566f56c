import zlib from 'node:zlib';

export interface ZipPart {
  name: string;
  content: string | Buffer;
  /** The size that the directory claims, where it lies. */
  claimedBytes?: number;
  isEncrypted?: boolean;
}

/** Builds a ZIP archive of deflated parts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = zlib.deflateRawSync(content);
    const name = Buffer.from(part.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(part.isEncrypted === true ? 1 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(zlib.crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(part.claimedBytes ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, entries, Buffer.from('PK\x05\x06'), end]);
}

export interface TestSheet {
  name: string;
  /** The content of `sheetData`. */
  rows: string;
  state?: string;
}

export interface TestWorkbook {
  sheets: readonly TestSheet[];
  texts?: readonly string[];
  /** Cell formats: numbers of built-in ones, or codes. */
  formats?: readonly (number | string)[];
  from1904?: boolean;
}

const mainNamespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationsNamespace = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

/** Builds the parts of a workbook as spreadsheet programs write them. */
export function workbookParts({ sheets, texts, formats, from1904 = false }: TestWorkbook): ZipPart[] {
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${officeNamespace}/${kind}" Target="${target}"/>`;
  const sheetTags = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" ${state === undefined ? '' : `state="${state}"`} r:id="rId${i + 1}"/>`,
  );
  const parts: ZipPart[] = [
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content:
        '<Relationships ' +
        `${relationsNamespace}>${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content:
        `<?xml version="1.0" encoding="UTF-8"?>\n<workbook ${mainNamespace} ` +
        `xmlns:r="${officeNamespace}"><workbookPr ` +
        `date1904="${from1904 ? 1 : 0}"/><sheets>${sheetTags.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        '<Relationships ' +
        `${relationsNamespace}` +
        `>${sheets.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('')}` +
        `${relation('s', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('t', 'styles', 'styles.xml')}` +
        '</Relationships>',
    },
    ...sheets.map(({ rows }, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      content: `<worksheet ${mainNamespace}><cols><col/></cols><sheetData>${rows}</sheetData></worksheet>`,
    })),
  ];
  if (texts !== undefined)
    parts.push({
      name: 'xl/sharedStrings.xml',
      content: `<sst ${mainNamespace}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    });
  if (formats !== undefined) parts.push({ name: 'xl/styles.xml', content: stylesOf(formats) });
  return parts;
}

function stylesOf(formats: readonly (number | string)[]): string {
  const custom = formats.flatMap((format, i) =>
    typeof format === 'string'
      ? [`<numFmt numFmtId="${200 + i}" formatCode="${format.replaceAll('"', '&quot;')}"/>`]
      : [],
  );
  const cells = formats.map((format, i) => `<xf numFmtId="${typeof format === 'string' ? 200 + i : format}"/>`);
  return (
    `<styleSheet ${mainNamespace}><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf ` +
    `numFmtId="14"/></cellStyleXfs><cellXfs>${cells.join('')}</cellXfs></styleSheet>`
  );
}

export function workbookOf(workbook: TestWorkbook): Buffer {
  return zipOf(workbookParts(workbook));
}

/** Builds rows of cells with inline texts. */
export function plainRows(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string =>
    value === null
      ? '<c/>'
      : typeof value === 'number'
        ? `<c><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  return rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
}
