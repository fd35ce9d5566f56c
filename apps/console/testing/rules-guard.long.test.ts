import type { Page } from 'playwright-core';
import { openReconciliation, type ReconciledBooks } from '../../api/testing/open-books';
import { findChromium } from '../../dashboard/testing/chromium';
import { openBench, type ConsoleBench } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

const rows = Array.from({ length: 6 }, (_, at) => ({ ref: `r${at}`, amount: 10 * (at + 1), date: '2026-03-10' }));

interface StoredRules {
  version: number;
  params: { Tmatch: number; Tpossible: number; matchers: { expr: string }[] };
}

inChromium(`rules that do not do what their person means, in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  interface OpenRules {
    page: Page;
    stored: () => Promise<StoredRules>;
  }

  const openRules = async (): Promise<OpenRules> => {
    const own: ReconciledBooks = await openReconciliation(bench.api, { lefts: rows, rights: rows });
    const { api, key } = own.tenant;
    const { body } = await api.get(`/v1/reconciliations/${own.id}`).expect(200);
    const path = `/v1/rule-sets/${(body as { rule_set_ids: [string] }).rule_set_ids[0]}`;
    const { page } = await bench.open(`/reconciliations/${own.id}/rules`, { key });
    await page.locator('.pair-entry').first().waitFor();
    return { page, stored: async () => (await api.get(path).expect(200)).body as StoredRules };
  };

  const typeMatcher = async (page: Page, text: string): Promise<void> => {
    await page.locator('.matcher .cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };

  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

  test('an unknown function and field are marked, the failures have their reason, and saving asks', async () => {
    const { page, stored } = await openRules();
    await typeMatcher(page, '$nope(left.amont) = right.amount');
    const matcher = page.locator('.matcher');
    await matcher.getByText('There is no function $nope').waitFor();
    await matcher.getByText(/^No field “amont” is known for .+ Is it “amount”\?$/).waitFor();
    await matcher.locator('.cm-lintRange-error', { hasText: '$nope' }).waitFor();
    await matcher.locator('.cm-lintRange-warning', { hasText: 'amont' }).waitFor();
    await matcher.getByText(/^Fails on 6 of 6 pairs:/).waitFor();
    await page.locator('.pair-entry.ERROR .pair-why').first().waitFor();
    await save(page).click();
    const question = page.getByRole('dialog', { name: 'Save rules that fail?' });
    await question.getByText(/They fail on 6 of 6 pairs/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await stored()).version).toBe(1);
    await save(page).click();
    await question.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByText('The rules are saved').waitFor();
    expect(await stored()).toMatchObject({
      version: 2,
      params: { matchers: [{ expr: '$nope(left.amont) = right.amount' }] },
    });
    await page.close();
  });

  test('rules that fail are asked about although they are saved before their pairs are scored', async () => {
    const { page, stored } = await openRules();
    await typeMatcher(page, '$nope(1)');
    await save(page).click();
    await page.getByRole('dialog', { name: 'Save rules that fail?' }).waitFor();
    expect((await stored()).version).toBe(1);
    await page.close();
  });

  test('thresholds that nothing reaches, or that are absent, are named by their labels and not saved', async () => {
    const { page, stored } = await openRules();
    const from = page.getByLabel('Match from').first();
    const suggest = page.getByLabel('Suggest from').first();
    const wrong = page.locator('.field .wrong');
    await from.fill('1.5');
    await wrong.getByText('A number from 0 to 1').waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    await from.fill('');
    await wrong.getByText('A number from 0 to 1').waitFor();
    expect([await from.inputValue(), await save(page).isDisabled()]).toEqual(['', true]);
    await from.fill('0.3');
    await wrong.getByText('At most “Match from” (0.3)').waitFor();
    expect(await page.getByText('Tmatch').count()).toBe(0);
    await suggest.fill('0.2');
    await save(page).click();
    await page.getByText('The rules are saved').waitFor();
    expect((await stored()).params).toMatchObject({ Tmatch: 0.3, Tpossible: 0.2 });
    await page.close();
  });

  test('a reload asks while rules are not saved, on any screen, and not after', async () => {
    const { page } = await openRules();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const name = page.getByLabel('Name', { exact: true });
    await name.click();
    await page.keyboard.type('x');
    await page.getByText('not saved').waitFor();
    const address = page.url();
    await page.keyboard.press('Escape');
    for (const key of ['g', 'w']) await page.keyboard.press(key);
    await page.locator('.item-row strong').first().waitFor();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page.goto(address);
    await name.click();
    await page.keyboard.type('y');
    await save(page).click();
    await page.getByText('The rules are saved').waitFor();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page.close();
  });
});
