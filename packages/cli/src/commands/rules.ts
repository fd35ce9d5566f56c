import { readFile } from 'node:fs/promises';
import { TieoutError, type components, type Tieout } from '@tieout/client';
import type { Command } from 'commander';
import { CommandError, exitCodes, isMissing, unreadable } from '../failure';
import { ruleSetSchema } from '../generated/rule-set-schema';
import { namedFile, writeOutFile } from '../output/out-file';
import { columnsOf, jsonText, writeAll } from '../output/print';
import { differences } from '../rules/differences';
import { parseRules, readRuleFile, type RuleFile } from '../rules/rule-file';
import { rewriteRules, writeRules } from '../rules/rule-text';
import { inOrderOfSchema } from '../rules/schema-faults';
import { allRuleSets, datasetsNamedBy, datasetsOfRules, ruleSetNamed } from '../service/lookups';
import { givenAs, placesInFile } from '../service/places';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { addPreview } from './rules-preview';

type StoredRules = components['schemas']['RuleSet'];

export function addRules(program: Command, context: CommandContext): void {
  const rules = program.command('rules').description('rule sets as files');
  rules
    .command('schema')
    .description('print the JSON Schema of rule files, for editors')
    .option('--json', 'it is JSON anyway')
    .action(() => writeAll(context.terminal.out, [jsonText(ruleSetSchema)]));
  rules
    .command('check')
    .description('check a rule file without a server')
    .argument('<file>')
    .option('--json', 'print JSON: the rule set')
    .action(async (file: string, { json }: { json?: true }) => {
      const read = await readRuleFile(file);
      await writeAll(context.terminal.out, [json ? jsonText(read) : `${file}: is a rule set\n`]);
    });
  ofService(rules.command('list').description('list the rule sets')).action(async (options: ServiceOptions) => {
    const { tieout, show } = await sessionOf(options, context);
    const items = await allRuleSets(tieout);
    await show(items, () =>
      columnsOf(
        ['name', 'version', 'engine', 'id'],
        items.map(({ name, version, engine, id }) => [name, version, engine, id]),
      ),
    );
  });
  ofService(rules.command('pull').description('write a rule set of the service to a file, or print it'))
    .argument('<rule set>', 'its name or id')
    .argument('[file]', 'the file, of YAML or, with the ending .json, JSON; - prints it')
    .option('--force', 'write into a file that differs; comments of YAML stay')
    .action(async (name: string, given: string | undefined, options: ServiceOptions & { force?: true }) => {
      const file = namedFile(given);
      const { tieout, terminal } = await sessionOf(options, context);
      const stored = await fileOf(tieout, await ruleSetNamed(tieout, name));
      if (file === null) return writeAll(terminal.out, [textOf(stored, options.json ? '.json' : '')]);
      const before = await readFile(file, 'utf8').catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw unreadable(file, error);
      });
      if (before !== undefined && differences(stored, knownRules(before, file)).length === 0)
        return writeAll(terminal.out, [`${file}: No difference\n`]);
      if (before !== undefined && options.force === undefined)
        throw new CommandError(
          `${file}: differs from the service; tieout rules diff shows how, --force takes what the service has`,
        );
      const text = textOf(stored, file, before);
      await writeOutFile(file, [text]);
      await writeAll(terminal.out, [`${file}: written\n`]);
    });
  ofService(
    rules.command('diff').description('compare a file with the rule set of its name; exit code 1 if they differ'),
  )
    .argument('<file>')
    .action(async (file: string, options: ServiceOptions) => {
      const { tieout, show } = await sessionOf(options, context);
      const own = complete(await readRuleFile(file));
      datasetsNamedBy(own, file);
      const stored = await storedFor(tieout, own, file);
      const found = differences(stored === undefined ? {} : await fileOf(tieout, stored), own);
      await show(found, () => found.map((line) => `${line}\n`).join('') || 'No difference\n');
      context.end(found.length === 0 ? exitCodes.tied : exitCodes.open);
    });
  ofService(rules.command('push').description('create or change the rule set of a file'))
    .argument('<file>')
    .option('--dry-run', 'only say what would change')
    .action(async (file: string, options: ServiceOptions & { dryRun?: true }) => {
      const { tieout, show } = await sessionOf(options, context);
      const own = complete(await readRuleFile(file));
      datasetsNamedBy(own, file);
      const stored = await storedFor(tieout, own, file);
      const found = differences(stored === undefined ? {} : await fileOf(tieout, stored), own);
      if (options.dryRun || found.length === 0)
        return show(found, () => found.map((line) => `${line}\n`).join('') || 'No difference\n');
      const pushed = await push(tieout, own, { file, stored });
      await show(pushed, () => `${pushed.name}: version ${pushed.version} (${pushed.id})\n`);
    });
  addPreview(rules, context);
}

function textOf(rules: RuleFile, file: string, before?: string): string {
  if (file.endsWith('.json')) return `${JSON.stringify(inOrderOfSchema(rules), null, 2)}\n`;
  return before === undefined ? writeRules(rules) : rewriteRules(before, rules);
}

/** Reads the rules of a file for a comparison; a file that is not a rule set counts as empty. */
function knownRules(text: string, file: string): Partial<RuleFile> {
  try {
    return complete(parseRules(text, file));
  } catch {
    return {};
  }
}

/** Adds the values that the service sets where a file leaves them out. */
const complete = (rules: RuleFile): RuleFile => ({ engine: 'jsonata', ...rules });

/** Returns a stored rule set as a file holds it. */
async function fileOf(tieout: Tieout, stored: StoredRules): Promise<RuleFile> {
  const name = async (id: string): Promise<string> => (await tieout.getDataset({ path: { id } })).name;
  return {
    name: stored.name,
    left: await name(stored.left_dataset_id),
    right: await name(stored.right_dataset_id),
    engine: stored.engine,
    ...(stored.jsonata_expr === null ? {} : { jsonataExpr: stored.jsonata_expr }),
    params: stored.params,
    ...(stored.logic_json === null ? {} : { logicJson: stored.logic_json }),
  };
}

/** Finds the rule set that a file stands for, by its name. */
async function storedFor(tieout: Tieout, { name }: RuleFile, file: string): Promise<StoredRules | undefined> {
  if (name === undefined) throw new CommandError(`${file}: /name is required: it says which rule set the file is`);
  const named = (await allRuleSets(tieout)).filter((one) => one.name === name);
  if (named.length > 1) throw new CommandError(`${named.length} rule sets have the name "${name}": rename all but one`);
  return named[0];
}

async function push(
  tieout: Tieout,
  rules: RuleFile,
  { file, stored }: { file: string; stored: StoredRules | undefined },
): Promise<StoredRules> {
  const { name = '', engine = 'jsonata', jsonataExpr, params, logicJson } = rules;
  const datasets = await datasetsOfRules(tieout, rules, file);
  const body = {
    name,
    engine,
    params: params as StoredRules['params'],
    ...(typeof jsonataExpr === 'string' ? { jsonataExpr } : {}),
    ...(logicJson ? { logicJson } : {}),
  };
  const places = placesInFile(file);
  if (stored === undefined) return givenAs(places, tieout.createRuleSet({ body: { ...body, ...datasets } }));
  const { id, version } = stored;
  const change = { ...body, ...datasets, version, jsonataExpr: jsonataExpr ?? null, logicJson: logicJson ?? null };
  try {
    return await givenAs(places, tieout.updateRuleSet({ path: { id }, body: change }));
  } catch (error) {
    if (!(error instanceof TieoutError) || error.code !== 'conflict') throw error;
    const { status, code, requestId } = error;
    const message = `${file}: somebody has changed "${name}" meanwhile; tieout rules diff shows how, then push again`;
    throw new CommandError(message, [], { status, code, requestId });
  }
}
