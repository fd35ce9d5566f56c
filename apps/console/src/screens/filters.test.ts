import { readFilters, type FilterReading, type Filters } from '../parts/read-filters';
import type { Search } from '../parts/address';
import { catalog, type Language } from '../text/catalog';
import { createFormats } from '../text/format';
import * as activity from './activity/filter';
import * as exceptions from './exceptions/filter';
import * as groups from './groups/filter';
import * as suggestions from './suggestions/filter';
import * as workbench from './workbench/filter';

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-BR' };
const sides = { left: 'bank', right: 'book' };

/** Reads the filters of an address as its screen does. */
function readingOf(address: string, language: Language): FilterReading<unknown> {
  const [screen = '', search] = address.split('?');
  const texts = catalog[language];
  const formats = createFormats(locales[language]);
  const filters: Readonly<Record<string, Filters<object>>> = {
    activity: activity.filtersOf(texts, formats),
    exceptions: exceptions.filtersOf(texts, { formats, sides, me: 'Ana' }),
    groups: groups.filtersOf(texts, formats),
    suggestions: suggestions.filtersOf(texts, formats),
    workbench: workbench.filtersOf(texts, formats, sides),
  };
  const given: Search = Object.fromEntries(new URLSearchParams(search));
  return readFilters(given, filters[screen] ?? {}, texts.frame.mends);
}

test.each([
  ['suggestions?minScore=0,9', 'Score from', 'a number such as 0.9'],
  ['suggestions?minScore=abc&kind=pair', 'Score from', 'a number such as 0.9'],
  ['suggestions?minScore=%20', 'Score from', 'a number such as 0.9'],
  ['suggestions?kind=pairs', 'Kind', 'one of pair, composite'],
  ['suggestions?decision=match', 'Decision', 'one of MATCH, POSSIBLE'],
  ['workbench?amountMin=abc', 'Amount from', 'an amount such as 1200.50'],
  ['workbench?amountMax=1e400', 'Amount to', 'an amount such as 1200.50'],
  ['workbench?dateFrom=2026-02-30', 'Date from', 'a day such as 2026-01-31'],
  ['workbench?minAgeDays=1.5', 'Days old, at least', 'a whole number from 0 to 100000'],
  ['workbench?suggested=yes', 'Only those with a suggestion', 'true'],
  ['workbench?lsort=name', 'Sort', 'one of -age, age'],
  ['exceptions?minAge=abc', 'Age', 'a whole number from 0 to 100000'],
  ['exceptions?explained=maybe', 'Explained', 'one of yes, no'],
  ['exceptions?view=late&side=middle', 'Side', 'one of left, right'],
  ['exceptions?snoozed=true', 'Snoozed', 'one of only, any'],
  ['exceptions?state=open', 'State', 'excluded'],
  ['groups?status=gone', 'State', 'one of held, pending, released'],
  ['groups?period=2026-13', 'Month', 'a month such as 2026-01'],
  ['groups?stale=1', 'A record has changed since', 'true'],
  ['activity?from=2026-99-01', 'From', 'a day such as 2026-01-31'],
  ['activity?by=robot', 'By', 'one of user, key'],
])('%s asks for nothing: %s takes %s', (address, label, mend) => {
  const { query, faults, chips } = readingOf(address, 'en');
  expect(query).toBeUndefined();
  expect(faults).toEqual([expect.objectContaining({ label, mend: expect.stringContaining(mend) as string })]);
  expect(chips).toContainEqual(expect.objectContaining({ text: expect.stringContaining(`${label}: `) as string }));
});

test.each([
  ['workbench?amountMin=1234.5&dateFrom=2026-03-01', ['Valor ≥ 1.234,50', 'A partir de 1 de mar. de 2026']],
  ['suggestions?minScore=0.125', ['Pontuação ≥ 0,125']],
  ['groups?period=2026-03', ['Mês: março de 2026']],
  ['exceptions?minAge=1000', ['1.000 dias ou mais']],
  ['activity?from=2026-03-01', ['De: 1 de mar. de 2026']],
])('the chips of %s are written as the person writes amounts and days', (address, chips) => {
  expect(readingOf(address, 'pt').chips.map(({ text }) => text)).toEqual(chips);
});
