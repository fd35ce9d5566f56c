import type { FileReading, ReadingChoices, SourceFile } from '../../api/imports';

/** A way in which an earlier file was read. */
export interface Offer {
  file: SourceFile;
  dataset: string;
  choices: ReadingChoices;
}

/** The parts of a reading that tell files of one origin from those of another. */
export type FileShape = Pick<FileReading, 'format' | 'headers' | 'reading'>;

const minShared = 0.7;
const offered = [
  'format',
  'delimiter',
  'encoding',
  'decimalSeparator',
  'dateFormat',
  'headerRow',
  'skipLines',
  'sheet',
  'header',
  'footer',
  'comment',
  'path',
  'identity',
];

/** Finds the first file that is read as this one and has mostly the same columns; null where there is none. */
export function offerOf(files: readonly SourceFile[], shape: FileShape): Offer | null {
  const columns = new Set(columnsOf(shape));
  for (const file of files) {
    const before = columnsOf(file);
    if (file.status !== 'ready' || before.length === 0 || kindOf(file.format) !== kindOf(shape.format)) continue;
    const shared = before.filter((name) => columns.has(name)).length;
    if (shared / Math.max(before.length, columns.size) < minShared) continue;
    const choices = Object.fromEntries(
      Object.entries(file.metadata.options).filter(([name]) => offered.includes(name)),
    );
    return { file, dataset: file.metadata.dataset, choices };
  }
  return null;
}

/** Rows of JSON name their own values. */
const columnsOf = ({ headers, reading }: Pick<SourceFile, 'headers' | 'reading'>): readonly string[] =>
  headers.length > 0 ? headers : Object.keys(reading?.types ?? {});

const tables = ['csv', 'tsv', 'xlsx', 'json', 'ndjson'];

/** The same table may come in several formats. Each format of statements has the columns of its own. */
const kindOf = (format: string | null): string => (format === null || tables.includes(format) ? 'table' : format);

/** The name of a file without its extension, which a new dataset gets. */
export const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').trim() || 'file';

/** Names a new source after the file, or after its format where that says more: banks name statements by numbers. */
export function newSourceName(fileName: string, format: string, sources: readonly { name: string }[]): string {
  const ofFormat = format.startsWith('camt') ? format : format.toUpperCase();
  const name = tables.includes(format) ? stemOf(fileName) : ofFormat;
  const taken = new Set(sources.map((source) => source.name));
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(free)) return free;
  }
}
