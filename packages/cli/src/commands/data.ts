import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { paginate, TieoutError, type components, type Tieout } from '@tieout/client';
import type { Command } from 'commander';
import { CommandError, exitCodes } from '../failure';
import { inputName, localFile, type LocalFile } from '../local-file';
import { columnsOf, ProgressBar, shownText } from '../output/print';
import { withRemedies } from '../output/remedies';
import { allDatasets, datasetNamed } from '../service/lookups';
import { givenAs } from '../service/places';
import type { ServiceOptions, Session } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { collect, uploadOptions, uploadReadingOf } from './read-options';

type StoredFile = components['schemas']['DataSourceFile'];
type RowFault = components['schemas']['RowError'];

/** A file, and once it is read why its first rows are refused. */
interface UploadedFile extends StoredFile {
  errors?: RowFault[];
}

const maxShownFaults = 5;
const readHelp = 'how the files are read, such as dateFormat=DD/MM/YYYY; may be repeated';
const uploadPlaces = {
  '/path/id': '--source',
  '/dataset': '--dataset',
  ...Object.fromEntries(uploadOptions.map((name) => [`/${name}`, `--read ${name}`])),
};
const sourceName = 'command line';

export function addData(program: Command, context: CommandContext): void {
  ofService(program.command('datasets').description('list the datasets')).action(async (options: ServiceOptions) => {
    const { tieout, show } = await sessionOf(options, context);
    const items = await allDatasets(tieout);
    await show(items, () =>
      columnsOf(
        ['name', 'kind', 'id'],
        items.map(({ name, kind, id }) => [shownText(name), shownText(kind), id]),
      ),
    );
  });
  ofService(program.command('records').description('list the newest records of a dataset'))
    .argument('<dataset>', 'its name or id')
    .option('-n, --limit <count>', 'number of records', '20')
    .action(async (dataset: string, options: ServiceOptions & { limit: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const limit = wholeNumber('--limit', options.limit);
      const { name } = await datasetNamed(tieout, dataset);
      const items: components['schemas']['Record'][] = [];
      for await (const item of paginate(tieout.listRecords, {
        query: { dataset: name, limit: Math.min(limit, 100) },
      })) {
        if (items.push(item) >= limit) break;
      }
      await show(items, () =>
        columnsOf(
          ['id', 'external id', 'status', 'data'],
          items.map(({ id, external_id, status, data }) => [id, shownText(external_id), status, shownText(data, 80)]),
        ),
      );
    });
  ofService(program.command('upload').description('upload files into a dataset'))
    .argument('<files...>', 'files of any format that the product reads; - is the standard input')
    .option('-d, --dataset <name>', 'the dataset; default: the name of the file')
    .option('--source <id>', `the data source; default: one with the name "${sourceName}"`)
    .option('--read <option=value>', readHelp, collect, [])
    .option('--again', 'upload a file again that was uploaded in the last 24 hours')
    .option('--watch', 'wait until the rows are read, and show what became of them; exit code 1 with refused ones')
    .action(async (given: string[], options: ServiceOptions & UploadOptions) => {
      const files: LocalFile[] = [];
      for (const file of given) files.push(await localFile(file, context.terminal.in));
      const session = await sessionOf(options, context);
      context.end(await upload(session, files, options));
    });
}

interface UploadOptions {
  dataset?: string;
  source?: string;
  read: string[];
  again?: true;
  watch?: true;
}

async function upload(session: Session, files: readonly LocalFile[], options: UploadOptions): Promise<number> {
  const { tieout, terminal, show, after } = session;
  const dataSourceId = options.source ?? (await ownSource(tieout));
  const bar = new ProgressBar(terminal.err);
  const stored: UploadedFile[] = [];
  for (const file of files) {
    const label = shownText(basename(file.name), 14);
    const name = file.name === inputName ? 'input' : basename(file.name);
    const request = {
      dataSourceId,
      dataset: options.dataset ?? basename(name, extname(name)),
      fromColumns: true,
      fileName: name,
      ...uploadReadingOf(options.read),
    };
    try {
      const sending = tieout.files.upload(file.path, {
        ...request,
        ...(options.again ? {} : { idempotencyKey: await uploadKey(file, request) }),
        onProgress: ({ sentBytes, totalBytes = NaN }) => bar.show(label, sentBytes / totalBytes),
      });
      const sent = await givenAs(uploadPlaces, sending);
      const arrived = `${file.name} was uploaded, but its progress cannot be read`;
      stored.push(options.watch ? await after(arrived, watch(tieout, sent, bar)) : sent);
    } catch (error) {
      throw faultOfUpload(error, { file, stored, session });
    } finally {
      bar.clear();
    }
  }
  await show(stored, () => filesTable(stored) + remarksOf(stored) + stored.map(faultLines).join(''));
  if (stored.some(({ status }) => status === 'failed')) return exitCodes.failed;
  const isWhole = stored.every(({ metadata }) => (metadata.failed ?? 0) + (metadata.rejected ?? 0) === 0);
  return isWhole ? exitCodes.tied : exitCodes.open;
}

/** Says which file an upload failed on, and which ones were uploaded before it. */
function faultOfUpload(
  error: unknown,
  { file, stored, session }: { file: LocalFile; stored: readonly StoredFile[]; session: Session },
): unknown {
  const before = stored.map(({ originalName }) => `${shownText(originalName)} was uploaded before`);
  if (error instanceof TieoutError && error.status === 0)
    return new CommandError(
      `${file.name}: the upload was interrupted (${error.message}). ` +
        'Run the command again: what arrived whole is not stored twice',
      before,
    );
  const told = error instanceof TieoutError ? session.explained(error) : error;
  if (before.length === 0 || !(told instanceof CommandError)) return told;
  const message = told.message.startsWith(file.name) ? told.message : `${file.name}: ${told.message}`;
  return new CommandError(message, [...told.details, ...before], told.answer);
}

const filesTable = (stored: readonly StoredFile[]): string =>
  columnsOf(
    ['file', 'dataset', 'status', 'ready', 'failed', 'rejected'],
    stored.map(({ originalName, status, metadata }) => [
      shownText(originalName),
      shownText(metadata.dataset),
      status,
      metadata.ready,
      metadata.failed,
      metadata.rejected,
    ]),
  );

/** Says why files are not read, or what to check about them and which arguments settle it. */
function remarksOf(stored: readonly StoredFile[]): string {
  const remarks = stored.flatMap(({ originalName, errorMessage, metadata }) => {
    const messages = errorMessage === null ? metadata.warnings.map(remarkOf) : [errorMessage];
    return messages.map((message) => `${shownText(originalName)}: ${shownText(message, 1_000)}\n`);
  });
  return remarks.join('');
}

/** A key that reads no records gets codes alone. */
const remarkOf = ({ code, message, remedies = [] }: StoredFile['metadata']['warnings'][number]): string =>
  withRemedies(message ?? code, remedies, '--read');

/** Says why the first refused rows of a file are refused, and how many more there are. */
function faultLines({ originalName, metadata, errors }: UploadedFile): string {
  if (errors === undefined) return '';
  const name = shownText(originalName);
  const lines = errors.map(({ line, column, message, code }) => {
    const place = column === null ? `line ${line}` : `line ${line}, ${shownText(column)}`;
    return `${name}: ${place}: ${shownText(message, 160)} (${code})\n`;
  });
  const more = metadata.failed + metadata.rejected - errors.length;
  if (more > 0) lines.push(`${name}: refused rows not shown: ${more.toLocaleString('en-US')}\n`);
  return lines.join('');
}

/** Names the upload of a content, so that a command that was interrupted and is run again stores it once. */
async function uploadKey({ path }: LocalFile, request: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(request));
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('base64url');
}

async function ownSource(tieout: Tieout): Promise<string> {
  for await (const source of paginate(tieout.listDataSources, { query: { limit: 100 } }))
    if (source.name === sourceName) return source.id;
  return (await tieout.createDataSource({ body: { name: sourceName, kind: 'files' } })).id;
}

/** Waits until a file is read. Returns it with why its first refused rows are refused. */
async function watch(
  tieout: Tieout,
  { dataSourceId, id: fileId }: StoredFile,
  bar: ProgressBar,
): Promise<UploadedFile> {
  const onProgress = (): void => bar.show('reading rows', NaN);
  const file = await tieout.files.wait({ dataSourceId, fileId }, { onProgress });
  if (file.metadata.failed + file.metadata.rejected === 0) return file;
  return { ...file, errors: await firstFaults(tieout, { id: dataSourceId, fileId }) };
}

/** The reasons quote records: a key that reads none gets none. */
async function firstFaults(tieout: Tieout, path: { id: string; fileId: string }): Promise<RowFault[]> {
  try {
    return (await tieout.listFileErrors({ path, query: { limit: maxShownFaults } })).items;
  } catch (error) {
    if (error instanceof TieoutError && error.status === 403) return [];
    throw error;
  }
}

/** Parses a whole number above 0. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new CommandError(`${option}: "${text}" is not a whole number above 0`);
  return number;
}

/** Parses the number of a port; 0 is any free one. */
export function portNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535 || text.trim() === '')
    throw new CommandError(`${option}: "${text}" is not a port: give a whole number from 0 to 65535`);
  return number;
}
