import { waitForEnd, type components } from '@tieout/client';
import type { Command } from 'commander';
import { columnsOf, ProgressBar, shownText } from '../output/print';
import { allReconciliations, ruleSetNamed } from '../service/lookups';
import { givenAs } from '../service/places';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';

interface NewReconciliation {
  rules: string[];
  amountLeft?: string;
  amountRight?: string;
  dateLeft?: string;
  dateRight?: string;
}

const keysHelp = `
Amounts and dates are those of blocking in the first rule set, else the fields amount and date.
`;

export function addReconciliations(program: Command, context: CommandContext): void {
  const group = program.command('reconciliations').description('reconciliations: datasets and the rules between them');
  ofService(group.command('list').description('list the reconciliations')).action(async (options: ServiceOptions) => {
    const { tieout, show } = await sessionOf(options, context);
    const items = await allReconciliations(tieout);
    await show(items, () =>
      columnsOf(
        ['name', 'status', 'last run', 'id'],
        items.map(({ name, status, last_run, id }) => [shownText(name), status, last_run?.status ?? 'none', id]),
      ),
    );
  });
  ofService(group.command('create').description('keep the datasets of rule sets reconciled under a name'))
    .argument('<name>', 'a new name')
    .requiredOption('--rules <rule sets...>', 'their names or ids; each is a pass, in this order')
    .option('--amount-left <field>', 'the field of the left records that holds their amount')
    .option('--amount-right <field>', 'that of the right ones')
    .option('--date-left <field>', 'the field of the left records that holds their date')
    .option('--date-right <field>', 'that of the right ones')
    .addHelpText('after', keysHelp)
    .action(async (name: string, options: ServiceOptions & NewReconciliation) => {
      const { tieout, show, terminal, after } = await sessionOf(options, context);
      const passes: components['schemas']['RuleSet'][] = [];
      for (const rules of options.rules) passes.push(await ruleSetNamed(tieout, rules));
      const body = {
        name,
        leftDatasetIds: [...new Set(passes.map(({ left_dataset_id }) => left_dataset_id))],
        rightDatasetIds: [...new Set(passes.map(({ right_dataset_id }) => right_dataset_id))],
        ruleSetIds: passes.map((pass) => pass.id),
        ...keysOf(options),
      };
      const places = {
        ...placesOfKeys,
        '/ruleSetIds': { option: '--rules', values: options.rules },
        '/leftDatasetIds': { option: '--rules: the left dataset', values: body.leftDatasetIds },
        '/rightDatasetIds': { option: '--rules: the right dataset', values: body.rightDatasetIds },
      };
      const { id } = await givenAs(places, tieout.createReconciliation({ body }));
      const bar = new ProgressBar(terminal.err);
      bar.show('taking records', NaN);
      const filling = waitForEnd(
        {
          name: 'reconciliation',
          ask: (signal) => tieout.getReconciliation({ path: { id }, signal }),
          hasEnded: ({ status }) => status === 'ready',
        },
        {},
      );
      const begun = `${shownText(name)} is made and takes its records, but its progress cannot be read`;
      const made = await after(begun, filling).finally(() => bar.clear());
      await show(made, () => `${shownText(name)}: run it with tieout reconcile (${id})\n`);
    });
}

const placesOfKeys = {
  '/name': '<name>',
  '/amountKeyLeft': '--amount-left',
  '/amountKeyRight': '--amount-right',
  '/dateKeyLeft': '--date-left',
  '/dateKeyRight': '--date-right',
};

const keysOf = ({ amountLeft, amountRight, dateLeft, dateRight }: NewReconciliation) => ({
  ...(amountLeft !== undefined && { amountKeyLeft: amountLeft }),
  ...(amountRight !== undefined && { amountKeyRight: amountRight }),
  ...(dateLeft !== undefined && { dateKeyLeft: dateLeft }),
  ...(dateRight !== undefined && { dateKeyRight: dateRight }),
});
