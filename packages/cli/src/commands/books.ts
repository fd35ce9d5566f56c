import { paginate, type components, type Tieout } from '@tieout/client';
import { Option, type Command } from 'commander';
import { CommandError, exitCodes } from '../failure';
import { outFormats, formatOfFile, writeOutFile, type OutFormat } from '../output/out-file';
import { columnsOf, ProgressBar, shownText, writeAll } from '../output/print';
import { reconciliationNamed } from '../service/lookups';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { wholeNumber } from './data';

export function addBooks(program: Command, context: CommandContext): void {
  ofService(program.command('reconcile').description('run a reconciliation and show what is open'))
    .argument('<reconciliation>', 'its name or id')
    .option('--full', 'compare everything of the open periods again')
    .option('--dry-run', 'change nothing')
    .action(async (name: string, options: ServiceOptions & { full?: true; dryRun?: true }) => {
      const { tieout, show, terminal } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const started = await tieout.startReconciliationRun({
        path: { id },
        body: { mode: options.full ? 'full' : 'incremental', dryRun: options.dryRun === true },
      });
      const bar = new ProgressBar(terminal.err);
      const job = await tieout
        .waitForJob(started.id, {
          onProgress: ({ status, pairs_processed: done, pairs_total: total }) =>
            bar.show(status, total > 0 ? done / total : NaN),
        })
        .finally(() => bar.clear());
      if (job.status !== 'completed')
        throw new CommandError(`The run is ${job.status}${job.error ? `: ${job.error.message}` : ''}`, [job.id]);
      const { items, totals } = await openItems(tieout, id);
      await show({ job, open_items: totals ?? null }, () =>
        [
          columnsOf(['decision', 'count'], Object.entries(job.decision_counts)),
          items ? '\nNot tied: tieout open-items lists what is open.\n' : '\nTied: nothing is open.\n',
        ].join(''),
      );
      context.end(items ? exitCodes.open : exitCodes.tied);
    });
  ofService(program.command('open-items').description('list the open items of a reconciliation; exit code 1 with any'))
    .argument('<reconciliation>', 'its name or id')
    .addOption(new Option('--side <side>', 'only one side').choices(['left', 'right']))
    .option('-n, --limit <count>', 'number of items', '20')
    .action(async (name: string, options: ServiceOptions & { side?: 'left' | 'right'; limit: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const limit = wholeNumber('--limit', options.limit);
      const query = { limit: Math.min(limit, 100), ...(options.side && { side: options.side }) };
      const items: OpenItem[] = [];
      for await (const item of paginate(tieout.listOpenItems, { path: { id }, query }))
        if (items.push(item) >= limit) break;
      await show(items, () =>
        columnsOf(
          ['side', 'record', 'external id', 'date', 'remaining', 'age', 'reason'],
          items.map((item) => [
            item.side,
            item.record_id,
            shownText(item.external_id),
            item.date ?? '',
            String(item.remaining_amount ?? ''),
            String(item.age_days ?? ''),
            item.reason ?? '',
          ]),
        ),
      );
      context.end(items.length === 0 ? exitCodes.tied : exitCodes.open);
    });
  ofService(program.command('match').description('hold records together by hand'))
    .argument('<reconciliation>', 'its name or id')
    .requiredOption('--left <ids...>', 'ids of left records')
    .requiredOption('--right <ids...>', 'ids of right records')
    .option('--note <text>', 'why they belong together')
    .action(async (name: string, options: ServiceOptions & { left: string[]; right: string[]; note?: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const { left, right, note } = options;
      const group = await tieout.createMatchGroup({
        body: { reconciliationId: id, left, right, ...(note && { note }) },
      });
      await show(group, () => `Match group ${group.id}: difference ${String(group.difference)}\n`);
    });
  ofService(program.command('release').description('open the records of a match group again'))
    .argument('<match group>', 'its id')
    .requiredOption('--reason <code>', 'a reason code')
    .option('--note <text>', 'what was wrong')
    .action(async (id: string, options: ServiceOptions & { reason: string; note?: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { reason, note } = options;
      const group = await tieout.releaseMatchGroup({
        path: { id },
        body: { reasonCode: reason, ...(note && { note }) },
      });
      await show(group, () => `Match group ${id} is released\n`);
    });
  ofService(program.command('report').description('write the report of a reconciliation'))
    .argument('<reconciliation>', 'its name or id')
    .option('--period <month>', 'a period, such as 2026-03')
    .addOption(new Option('-f, --format <format>', 'default: by the ending of the file, else xlsx').choices(outFormats))
    .option('-o, --out <file>', 'the file; default: the standard output')
    .action(async (name: string, options: ServiceOptions & ReportOptions) => {
      const given = options.json ? 'json' : options.format;
      const format = options.out === undefined ? (given ?? 'xlsx') : formatOfFile(options.out, given);
      const { tieout, terminal } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      if (options.out === undefined && format === 'xlsx' && terminal.out.isTTY === true)
        throw new CommandError('A workbook is no text for a terminal: add --out FILE.xlsx');
      const query = { format, ...(options.period && { period: options.period }) };
      const { body } = await tieout.getReconciliationReport({ path: { id }, query });
      if (body === null) return;
      if (options.out === undefined) return writeAll(terminal.out, body);
      await writeOutFile(options.out, body);
      terminal.out.write(`${options.out}: written\n`);
    });
  ofService(program.command('status').description('say whether the service answers, and for whom')).action(
    async (options: ServiceOptions) => {
      const { tieout, url, show } = await sessionOf(options, context);
      const health = await tieout.getHealth();
      const me = await tieout.getMe();
      await show({ url, health, me }, () => `${url} answers\n${JSON.stringify(me, null, 2)}\n`);
    },
  );
}

type OpenItem = components['schemas']['OpenItem'];

interface ReportOptions {
  period?: string;
  format?: OutFormat;
  out?: string;
}

/** Says whether a reconciliation has open items, with their totals. */
async function openItems(tieout: Tieout, id: string) {
  const { items, totals } = await tieout.listOpenItems({ path: { id }, query: { limit: 1, totals: true } });
  return { items: items.length > 0, totals };
}
