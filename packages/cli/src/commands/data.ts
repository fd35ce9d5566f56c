import { basename, extname } from 'node:path';
import { access } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { paginate, TieoutError, type components, type Tieout } from '@tieout/client';
import type { Command } from 'commander';
import { CommandError, exitCodes, unreadable } from '../failure';
import { columnsOf, ProgressBar, shownText } from '../output/print';
import { allDatasets, datasetNamed } from '../service/lookups';
import type { ServiceOptions, Session } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { collect, readOptionsOf } from './read-options';

type StoredFile = components['schemas']['DataSourceFile'];

const filePollMs = 300;
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
    .argument('<files...>', 'files of any format that the product reads')
    .option('-d, --dataset <name>', 'the dataset; default: the name of the file')
    .option('--source <id>', `the data source; default: one with the name "${sourceName}"`)
    .option('--read <option=value>', 'how the files are read; may be repeated', collect, [])
    .option('--watch', 'wait until the rows are read, and show what became of them')
    .action(async (files: string[], options: ServiceOptions & UploadOptions) => {
      for (const file of files)
        await access(file).catch((error: unknown) => {
          throw unreadable(file, error);
        });
      const session = await sessionOf(options, context);
      context.end(await upload(session, files, options));
    });
}

interface UploadOptions {
  dataset?: string;
  source?: string;
  read: string[];
  watch?: true;
}

async function upload(session: Session, files: readonly string[], options: UploadOptions): Promise<number> {
  const { tieout, terminal, show } = session;
  const dataSourceId = options.source ?? (await ownSource(tieout));
  const bar = new ProgressBar(terminal.err);
  const stored: StoredFile[] = [];
  for (const file of files) {
    const label = shownText(basename(file), 14);
    try {
      const sent = await tieout.files.upload(file, {
        dataSourceId,
        dataset: options.dataset ?? basename(file, extname(file)),
        fromColumns: true,
        ...readOptionsOf(options.read),
        onProgress: ({ sentBytes, totalBytes = NaN }) => bar.show(label, sentBytes / totalBytes),
      });
      stored.push(options.watch ? await watch(tieout, { dataSourceId, fileId: sent.id }, bar) : sent);
    } catch (error) {
      if (!(error instanceof TieoutError) || error.status !== 0) throw error;
      throw new CommandError(
        `${file}: the upload was interrupted (${error.message}). Nothing of it was stored unless it arrived whole: ` +
          'run the command again; rows that arrived are not stored twice',
      );
    } finally {
      bar.clear();
    }
  }
  await show(stored, () =>
    columnsOf(
      ['file', 'dataset', 'status', 'ready', 'failed', 'rejected', ''],
      stored.map(({ originalName, status, metadata, errorMessage }) => [
        shownText(originalName),
        shownText(metadata.dataset),
        status,
        metadata.ready,
        metadata.failed,
        metadata.rejected,
        shownText(errorMessage ?? metadata.warnings.map(({ message }) => message).join(' '), 160),
      ]),
    ),
  );
  return stored.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.tied;
}

async function ownSource(tieout: Tieout): Promise<string> {
  for await (const source of paginate(tieout.listDataSources, { query: { limit: 100 } }))
    if (source.name === sourceName) return source.id;
  return (await tieout.createDataSource({ body: { name: sourceName, kind: 'files' } })).id;
}

/** Waits until a file is read. */
async function watch(
  tieout: Tieout,
  { dataSourceId, fileId }: { dataSourceId: string; fileId: string },
  bar: ProgressBar,
): Promise<StoredFile> {
  for (;;) {
    const file = await tieout.getFile({ path: { id: dataSourceId, fileId } });
    if (file.status === 'ready' || file.status === 'failed') return file;
    bar.show('reading rows', NaN);
    await pause(filePollMs);
  }
}

/** Parses a whole number above 0. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new CommandError(`${option}: "${text}" is no whole number above 0`);
  return number;
}
