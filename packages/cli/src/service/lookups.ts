import { paginate, type components, type Tieout } from '@tieout/client';
import { CommandError } from '../failure';
import type { RuleFile } from '../rules/rule-file';
import { nearest } from './nearest';

type Schemas = components['schemas'];

const query = { limit: 100 };

export const allDatasets = (tieout: Tieout): Promise<Schemas['Dataset'][]> =>
  all(paginate(tieout.listDatasets, { query }));

export const allRuleSets = (tieout: Tieout): Promise<Schemas['RuleSet'][]> =>
  all(paginate(tieout.listRuleSets, { query }));

export const allReconciliations = (tieout: Tieout): Promise<Schemas['Reconciliation'][]> =>
  all(paginate(tieout.listReconciliations, { query }));

/** Finds a dataset by its name or id. */
export async function datasetNamed(tieout: Tieout, name: string): Promise<Schemas['Dataset']> {
  return pick('dataset', name, await allDatasets(tieout));
}

/** @throws CommandError for a rule file that leaves out a dataset, as one for `compare` may */
export function datasetsNamedBy({ left, right }: RuleFile, file: string): { left: string; right: string } {
  if (left === undefined || right === undefined)
    throw new CommandError(`${file}: /left and /right are required: the names of the datasets`);
  return { left, right };
}

/** Finds the datasets that a rule file names. */
export async function datasetsOfRules(tieout: Tieout, rules: RuleFile, file: string) {
  const { left, right } = datasetsNamedBy(rules, file);
  const items = await allDatasets(tieout);
  return { leftDatasetId: pick('dataset', left, items).id, rightDatasetId: pick('dataset', right, items).id };
}

export async function ruleSetNamed(tieout: Tieout, name: string): Promise<Schemas['RuleSet']> {
  return pick('rule set', name, await allRuleSets(tieout));
}

export async function reconciliationNamed(tieout: Tieout, name: string): Promise<Schemas['Reconciliation']> {
  return pick('reconciliation', name, await allReconciliations(tieout));
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function pick<T extends { id: string; name: string }>(noun: string, name: string, items: readonly T[]): T {
  const byId = items.find(({ id }) => id === name);
  const byName = items.filter((item) => item.name === name);
  if (byName.length > 1)
    throw new CommandError(
      `${byName.length} have the name "${name}": name the ${noun} by its id`,
      byName.map(({ id }) => id),
    );
  const found = byId ?? byName[0];
  if (found !== undefined) return found;
  const near = nearest(
    name,
    items.map((item) => item.name),
  );
  const hint = near.length === 0 ? '' : `; there is ${near.map((one) => `"${one}"`).join(', ')}`;
  throw new CommandError(`There is no ${noun} "${name}"${hint}`);
}
