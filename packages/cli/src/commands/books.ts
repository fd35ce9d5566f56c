import { paginate, type components, type Tieout } from '@tieout/client';
import { Option, type Command } from 'commander';
import { CommandError, exitCodes } from '../failure';
import { outFormats, formatOfFile, namedFile, writeOutFile, type OutFormat } from '../output/out-file';
import { columnsOf, ProgressBar, shownText, writeAll } from '../output/print';
import { recordText } from '../output/record-text';
import { reconciliationNamed } from '../service/lookups';
import { givenAs } from '../service/places';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { wholeNumber } from './data';
import { adjustmentsOf, membersOf } from './parts';
import { collect } from './read-options';

export function addBooks(program: Command, context: CommandContext): void {
  ofService(program.command('reconcile').description('run a reconciliation and show what is open'))
    .argument('<reconciliation>', 'its name or id')
    .option('--full', 'compare everything of the open periods again')
    .option('--dry-run', 'change nothing')
    .action(async (name: string, options: ServiceOptions & { full?: true; dryRun?: true }) => {
      const { tieout, show, terminal, after } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const started = await tieout.startReconciliationRun({
        path: { id },
        body: { mode: options.full ? 'full' : 'incremental', dryRun: options.dryRun === true },
      });
      const bar = new ProgressBar(terminal.err);
      const waiting = tieout.waitForJob(started.id, {
        onProgress: ({ status, pairs_processed: done, pairs_total: total }) =>
          bar.show(status, total > 0 ? done / total : NaN),
      });
      const begun = `The run ${started.id} is begun and goes on, but its progress cannot be read`;
      const job = await after(begun, waiting).finally(() => bar.clear());
      if (job.status !== 'completed')
        throw new CommandError(`The run is ${job.status}${job.error ? `: ${job.error.message}` : ''}`, [job.id]);
      const ended = 'The run is completed, but what is open cannot be read';
      const { items, totals } = await after(ended, openItems(tieout, id));
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
          ['side', 'record', 'external id', 'date', 'remaining', 'age', 'reason', 'data'],
          items.map((item) => [
            item.side,
            item.record_id,
            shownText(item.external_id),
            item.date ?? '',
            String(item.remaining_amount ?? ''),
            String(item.age_days ?? ''),
            item.reason ?? '',
            recordText(item.record),
          ]),
        ),
      );
      context.end(items.length === 0 ? exitCodes.tied : exitCodes.open);
    });
  ofService(program.command('match').description('hold records together by hand'))
    .argument('<reconciliation>', 'its name or id')
    .requiredOption('--left <ids...>', 'ids of left records; ID=AMOUNT takes a part of one')
    .requiredOption('--right <ids...>', 'ids of right records')
    .option(
      '--adjust <reason=amount>',
      'what the left side lacks, with its code of tieout reason-codes; may be repeated',
      collect,
      [],
    )
    .option('--note <text>', 'why they belong together')
    .action(async (name: string, options: ServiceOptions & MatchOptions) => {
      const { note } = options;
      const body = {
        left: membersOf('--left', options.left),
        right: membersOf('--right', options.right),
        adjustments: adjustmentsOf('--adjust', options.adjust),
        ...(note && { note }),
      };
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const places = {
        '/left': { option: '--left', values: options.left },
        '/right': { option: '--right', values: options.right },
        '/adjustments': { option: '--adjust', values: options.adjust },
        '/note': '--note',
      };
      const group = await givenAs(places, tieout.createMatchGroup({ body: { reconciliationId: id, ...body } }));
      await show(group, () => `Match group ${group.id}: difference ${String(group.difference)}\n`);
    });
  ofService(program.command('reason-codes').description('list the codes of adjustments and releases')).action(
    async (options: ServiceOptions) => {
      const { tieout, show } = await sessionOf(options, context);
      const { items } = await tieout.listReasonCodes();
      await show(items, () =>
        columnsOf(
          ['code', 'label'],
          items.map(({ code, label }) => [code, shownText(label)]),
        ),
      );
    },
  );
  ofService(program.command('release').description('open the records of a match group again'))
    .argument('<match group>', 'its id')
    .requiredOption('--reason <code>', 'a code of tieout reason-codes')
    .option('--note <text>', 'what was wrong')
    .action(async (id: string, options: ServiceOptions & { reason: string; note?: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { reason, note } = options;
      const body = { reasonCode: reason, ...(note && { note }) };
      const places = { '/path/id': '<match group>', '/reasonCode': '--reason', '/note': '--note' };
      const group = await givenAs(places, tieout.releaseMatchGroup({ path: { id }, body }));
      await show(group, () => `Match group ${id} is released\n`);
    });
  ofService(program.command('report').description('write the report of a reconciliation'))
    .argument('<reconciliation>', 'its name or id')
    .option('--period <month>', 'a period, such as 2026-03')
    .addOption(new Option('-f, --format <format>', 'default: by the ending of the file, else xlsx').choices(outFormats))
    .option('-o, --out <file>', 'the file; default, and -: the standard output')
    .action(async (name: string, options: ServiceOptions & ReportOptions) => {
      const given = options.json ? 'json' : options.format;
      const file = namedFile(options.out);
      const format = file === null ? (given ?? 'xlsx') : formatOfFile(file, given);
      const { tieout, terminal } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      if (file === null && format === 'xlsx' && terminal.out.isTTY === true)
        throw new CommandError('A workbook cannot be shown in a terminal: add --out FILE.xlsx');
      const query = { format, ...(options.period && { period: options.period }) };
      const places = { '/query/period': '--period' };
      const { body } = await givenAs(places, tieout.getReconciliationReport({ path: { id }, query }));
      if (body === null) return;
      if (file === null) return writeAll(terminal.out, toItsEnd(body));
      await writeOutFile(file, toItsEnd(body));
      terminal.out.write(`${file}: written\n`);
    });
  ofService(program.command('status').description('say whether the service answers, and for whom')).action(
    async (options: ServiceOptions) => {
      const { tieout, url, show } = await sessionOf(options, context, 1);
      const health = await tieout.getHealth();
      const { me } = await tieout.getMe();
      await show({ url, health, me }, () => `${url} answers\n${callerText(me)}`);
    },
  );
}

type OpenItem = components['schemas']['OpenItem'];

/** Reads a report. @throws CommandError where it breaks off */
async function* toItsEnd(report: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* report;
  } catch (error) {
    throw new CommandError(`The report broke off before its end (${(error as Error).message}): run the command again`);
  }
}

interface MatchOptions {
  left: string[];
  right: string[];
  adjust: string[];
  note?: string;
}

interface ReportOptions {
  period?: string;
  format?: OutFormat;
  out?: string;
}

/** Says for whom the service answers. */
function callerText({ kind, user, key, tenant, scopes }: components['schemas']['Me']): string {
  const label = kind === 'platform' ? 'that of the platform' : (key?.label ?? '');
  const caller = user === undefined ? label : `${user.name} <${user.email}>, ${user.role}`;
  return columnsOf(
    ['', ''],
    [
      [kind === 'user' ? 'user' : 'key', shownText(caller, 100)],
      ['tenant', `${shownText(tenant.name, 100)} (${tenant.id})`],
      ['scopes', scopes.length === 0 ? 'all that the tenant may do' : scopes.join(', ')],
    ],
  );
}

/** Says whether a reconciliation has open items, with their totals. */
async function openItems(tieout: Tieout, id: string) {
  const { items, totals } = await tieout.listOpenItems({ path: { id }, query: { limit: 1, totals: true } });
  return { items: items.length > 0, totals };
}
