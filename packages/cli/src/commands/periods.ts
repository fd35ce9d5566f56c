import type { components } from '@tieout/client';
import { Option, type Command } from 'commander';
import { exitCodes } from '../failure';
import { columnsOf, shownText } from '../output/print';
import { reconciliationNamed } from '../service/lookups';
import { givenAs } from '../service/places';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';

type Summary = components['schemas']['ProvedSummary'];
type Proof = components['schemas']['BalanceProof'];

/** Adds what ends a month: its sums with their proof, the balances that these take, and its close. */
export function addPeriods(program: Command, context: CommandContext): void {
  ofService(
    program.command('summary').description('sum up both sides and prove their balances; exit code 1 with a rest'),
  )
    .argument('<reconciliation>', 'its name or id')
    .option('--period <month>', 'a month and those before it, such as 2026-03; default: everything until today')
    .action(async (name: string, options: ServiceOptions & { period?: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const { period } = options;
      const query = { ...(period && { period }) };
      const summary = await givenAs(
        { '/query/period': '--period' },
        tieout.getReconciliationSummary({ path: { id }, query }),
      );
      await show(summary, () => summaryText(summary));
      context.end(isTied(summary) ? exitCodes.tied : exitCodes.open);
    });
  ofService(program.command('balance').description('state the balance of a side at the end of a day'))
    .argument('<reconciliation>', 'its name or id')
    .argument('<amount>', 'such as 1200.50; after -- where it is negative')
    .addOption(new Option('--side <side>', 'whose balance it is').choices(['left', 'right']).makeOptionMandatory())
    .requiredOption('--date <day>', 'such as 2026-03-31')
    .option('--currency <code>', 'where the reconciliation has currencies')
    .action(async (name: string, amount: string, options: ServiceOptions & BalanceOptions) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const { side, date, currency } = options;
      const stated = { side, date, amount, currency: currency ?? null };
      const places = {
        '/side': '--side',
        '/date': '--date',
        '/amount': '<amount>',
        '/currency': '--currency',
      };
      await givenAs(places, tieout.stateBalance({ path: { id }, body: stated }));
      await show(stated, () => `The balance of the ${side} side on ${date} is ${money(amount, stated.currency)}\n`);
    });
  ofService(program.command('close').description('close a month and print what its certificate proves'))
    .argument('<reconciliation>', 'its name or id')
    .argument('<month>', 'such as 2026-03')
    .option('--note <text>', 'what is to be remembered of it')
    .action(async (name: string, period: string, options: ServiceOptions & { note?: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const { note } = options;
      const body = { ...(note && { note }) };
      const closed = await givenAs(
        { ...placeOfMonth, '/note': '--note' },
        tieout.closePeriod({ path: { id, period }, body }),
      );
      const { status, certificate } = closed;
      const proof = proofText(certificate?.proof ?? []);
      await show(closed, () => `${period} is ${status}: certificate ${certificate?.id ?? ''}\n${proof}`);
    });
  ofService(program.command('reopen').description('open a closed month again, and the closed ones after it'))
    .argument('<reconciliation>', 'its name or id')
    .argument('<month>', 'such as 2026-03')
    .requiredOption('--reason <text>', 'why; the certificate keeps it')
    .action(async (name: string, period: string, options: ServiceOptions & { reason: string }) => {
      const { tieout, show } = await sessionOf(options, context);
      const { id } = await reconciliationNamed(tieout, name);
      const opened = await givenAs(
        { ...placeOfMonth, '/reason': '--reason' },
        tieout.reopenPeriod({ path: { id, period }, body: { reason: options.reason } }),
      );
      await show(opened, () => `Open again: ${opened.reopened.join(', ')}\n`);
    });
}

const placeOfMonth = { '/path/period': '<month>' };

interface BalanceOptions {
  side: 'left' | 'right';
  date: string;
  currency?: string;
}

const money = (amount: number | string, currency: string | null): string =>
  `${String(amount)}${currency === null ? '' : ` ${shownText(currency)}`}`;

const isTied = ({ left, right, proof = [] }: Summary): boolean =>
  left.open.count + right.open.count === 0 && proof.every(({ unexplained }) => Number(unexplained ?? 0) === 0);

function summaryText({ left, right, proof = [], warnings }: Summary): string {
  const rows = (['records', 'held', 'open', 'excluded', 'stale'] as const).flatMap((part) =>
    (['left', 'right'] as const).map((side) => {
      const { count, amounts = [] } = { left, right }[side][part];
      return [part, side, count, amounts.map(({ amount, currency }) => money(amount, currency)).join(', ')];
    }),
  );
  const told = warnings.map(({ message }) => `Warning: ${shownText(message, 1_000)}\n`);
  return [columnsOf(['', 'side', 'count', 'amount'], rows), proofText(proof), ...told].join('');
}

/** Says of each currency whether the two balances differ by what is open. */
function proofText(proofs: readonly Proof[]): string {
  const lines = proofs.map(({ day, currency, balances: { left, right }, unexplained }) => {
    const missing = left === null ? 'left' : 'right';
    if (left === null || right === null || unexplained === null)
      return `Not proved: no balance of the ${missing} side until ${day}; tieout balance states it\n`;
    const sides = `balances of ${money(left.amount, currency)} and ${money(right.amount, currency)} until ${day}`;
    return `${Number(unexplained) === 0 ? 'Proved' : 'Not proved'}: ${sides}, ${String(unexplained)} unexplained\n`;
  });
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}
