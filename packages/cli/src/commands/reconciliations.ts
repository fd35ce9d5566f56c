import { setTimeout as pause } from 'node:timers/promises';
import type { components, Tieout } from '@tieout/client';
import type { Command } from 'commander';
import { columnsOf, ProgressBar, shownText } from '../output/print';
import { allReconciliations, ruleSetNamed } from '../service/lookups';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';

type Reconciliation = components['schemas']['Reconciliation'];

const fillPollMs = 300;

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
    .action(async (name: string, options: ServiceOptions & { rules: string[] }) => {
      const { tieout, show, terminal } = await sessionOf(options, context);
      const passes: components['schemas']['RuleSet'][] = [];
      for (const rules of options.rules) passes.push(await ruleSetNamed(tieout, rules));
      const { id } = await tieout.createReconciliation({
        body: {
          name,
          leftDatasetIds: [...new Set(passes.map(({ left_dataset_id }) => left_dataset_id))],
          rightDatasetIds: [...new Set(passes.map(({ right_dataset_id }) => right_dataset_id))],
          ruleSetIds: passes.map((pass) => pass.id),
        },
      });
      const bar = new ProgressBar(terminal.err);
      const made = await filled(tieout, id, () => bar.show('taking records', NaN)).finally(() => bar.clear());
      await show(made, () => `${shownText(name)}: run it with tieout reconcile (${id})\n`);
    });
}

/** Waits until the records that were there before are open items. */
async function filled(tieout: Tieout, id: string, onWait: () => void): Promise<Reconciliation> {
  for (;;) {
    const found = await tieout.getReconciliation({ path: { id } });
    if (found.status === 'ready') return found;
    onWait();
    await pause(fillPollMs);
  }
}
