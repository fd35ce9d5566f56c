import { TieoutError, type components, type Tieout } from '@tieout/client';
import { counted } from '@tieout/engine';
import type { Command } from 'commander';
import { CommandError } from '../failure';
import { columnsOf, shownText } from '../output/print';
import { recordText } from '../output/record-text';
import { readRuleFile, type RuleFile } from '../rules/rule-file';
import { datasetsOfRules } from '../service/lookups';
import { givenAs, placesInFile } from '../service/places';
import type { ServiceOptions } from '../service/session';
import { ofService, sessionOf, type CommandContext } from './context';
import { wholeNumber } from './data';

type Preview = components['schemas']['Preview'];
type Pair = Preview['results'][number];
type Texts = ReadonlyMap<string | undefined, string>;

/** Number of pairs to score; the best of them are shown. */
const scoredPairs = 100;

const help = `
Up to ${scoredPairs} pairs of the newest records are scored, and the best of them shown; --json has them all.
`;

export function addPreview(rules: Command, context: CommandContext): void {
  ofService(
    rules.command('preview').description('score records of the service by the rules of a file; nothing is stored'),
  )
    .argument('<file>')
    .option('-n, --limit <count>', `number of pairs, at most ${scoredPairs}`, '10')
    .addHelpText('after', help)
    .action(async (file: string, options: ServiceOptions & { limit: string }) => {
      const limit = wholeNumber('--limit', options.limit);
      if (limit > scoredPairs) throw new CommandError(`--limit: at most ${scoredPairs} pairs are scored`);
      const { tieout, show } = await sessionOf(options, context);
      const answer = await preview(tieout, await readRuleFile(file), file);
      answer.results.sort((one, other) => (other.score ?? -1) - (one.score ?? -1));
      const best = answer.results.slice(0, limit);
      const texts = options.json ? new Map<string, string>() : await textsOf(tieout, best);
      await show(answer, () => previewText(answer, best, texts));
    });
}

async function preview(tieout: Tieout, rules: RuleFile, file: string): Promise<Preview> {
  const { engine = 'jsonata', jsonataExpr, params } = rules;
  const ruleSet = {
    ...(await datasetsOfRules(tieout, rules, file)),
    engine,
    params: params as components['schemas']['RuleSetParams'],
    ...(typeof jsonataExpr === 'string' ? { jsonataExpr } : {}),
  };
  const body = { ruleSet, sample: { limit: scoredPairs } };
  return givenAs(placesInFile(file, '/ruleSet'), tieout.previewRuleSet({ body }));
}

/** Reads what the records of pairs hold, by their ids. A key that reads no records gets their ids. */
async function textsOf(tieout: Tieout, pairs: readonly Pair[]): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const id of pairs.flatMap(({ left_record_id, right_record_id }) => [left_record_id, right_record_id])) {
    if (id === undefined || texts.has(id)) continue;
    try {
      const { data, fields } = await tieout.getRecord({ path: { id } });
      texts.set(id, recordText({ ...data, ...fields }, 40));
    } catch (error) {
      if (!(error instanceof TieoutError) || ![403, 404].includes(error.status)) throw error;
      texts.set(id, id);
    }
  }
  return texts;
}

function previewText({ results, warnings }: Preview, best: readonly Pair[], texts: Texts): string {
  const table = columnsOf(
    ['decision', 'score', 'left', 'right'],
    best.map(({ left_record_id, right_record_id, decision, score }) => [
      decision,
      score === null ? '' : score.toFixed(3),
      texts.get(left_record_id) ?? '',
      texts.get(right_record_id) ?? '',
    ]),
  );
  const decided = countsOf(results.map(({ decision }) => decision)).map(([decision, count]) => `${count} ${decision}`);
  const failures = countsOf(
    results.flatMap(({ error }) => (error === undefined ? [] : [`${error.expression}: ${error.message}`])),
  );
  return [
    table,
    `\nScored ${counted(results.length, 'pair')}: ${decided.join(', ')}\n`,
    ...failures.map(([message, count]) => `Failed on ${counted(count, 'pair')}: ${shownText(message, 200)}\n`),
    ...warnings.map(({ message }) => `Warning: ${shownText(message, 400)}\n`),
  ].join('');
}

function countsOf(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
}
