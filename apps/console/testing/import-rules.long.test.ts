import { findChromium } from '../../dashboard/testing/chromium';
import { newSource, uploadTo } from '../../api/testing';
import { gate, openBench, violationsOf, type ConsoleBench, type OpenScreen } from './browser';

const chromiumPath = findChromium(process.env);
const inChromium = chromiumPath === undefined ? describe.skip : describe;
const reason = chromiumPath === undefined ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';
const pictures = process.env['CONSOLE_PICTURES'];

const statement = [
  'Booked;Text;Amount;Fee',
  ...Array.from({ length: 30 }, (_, i) => `${String((i % 28) + 1).padStart(2, '0')}.02.2026;INV-${i};${i},50;EUR 0,10`),
  '03.02.2026;<img src=x onerror=alert(1)> =1+1 \u202e;soon;EUR 0,20',
].join('\n');

/** A screen that is left, or asks again, gives up what it has asked. */
const faultsIn = ({ faults }: OpenScreen['log']): string[] => faults.filter((fault) => !fault.includes('ERR_ABORTED'));

const file = (content: string, name = 'bank.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

inChromium(`import and rules in Chromium${reason}`, () => {
  let bench: ConsoleBench;

  beforeAll(async () => {
    bench = await openBench(chromiumPath as string);
  });

  afterAll(() => bench?.close());

  const picture = async (page: { screenshot(options: object): Promise<unknown> }, name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };

  test.each([
    ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const)('a file is mapped, imported and corrected, without a fault of access in %s', async (name, options) => {
    await newSource(bench.tenant.api);
    const { page, log } = await bench.open('/import', options);
    const dataset = `bank ${name}`;
    await page.getByText('Drop a file here').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, `import-empty-${name}`);
    await page.locator('input[type=file]').setInputFiles(file(statement));
    const target = page.getByRole('combobox', { name: /^Dataset/ });
    await target.fill(dataset);
    await target.blur();
    await page.getByLabel('Type: amount').selectOption('amount');
    await page.getByText('1 cell does not fit its field').waitFor();
    await page.getByRole('button', { name: 'Add a computed field' }).click();
    await page.getByLabel('Expression: field_1').fill('$amount(Fee) * 2');
    await page.getByLabel('Type: field_1').selectOption('number');
    await page.getByRole('cell', { name: '0.2', exact: true }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, `import-${name}`);
    // A key finds the button also while rows that arrive move it.
    await page.getByRole('button', { name: 'Import', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.readFiles();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    await page.getByText('"soon"').first().waitFor({ timeout: 5_000 });
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, `import-done-${name}`);
    const corrected = file(statement.replace('soon', '7,00'), 'corrected.csv');
    await page.locator('input[type=file]').first().setInputFiles(corrected);
    await page.getByText('Corrects bank.csv').waitFor();
    await page.getByText('Every cell fits').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.readFiles();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    const { body } = await bench.tenant.api.get(`/v1/records?dataset=${encodeURIComponent(dataset)}&limit=100`);
    const { items } = body as { items: { status: string; fields: { field_1: number } }[] };
    expect(items.map(({ status, fields }) => [status, fields.field_1])).toEqual([
      ['ready', 0.4],
      ...Array.from({ length: 30 }, () => ['ready', 0.2]),
    ]);
    expect(faultsIn(log)).toEqual([]);
    await page.close();
  });

  test('a file like an earlier one is offered its dataset and its fields', async () => {
    const source = await newSource(bench.tenant.api);
    await uploadTo(bench.tenant.api, source, statement, { dataset: 'monthly', fromColumns: 'true' }, 'february.csv');
    await bench.readFiles();
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file(statement.replace('soon', '8,00'), 'march.csv'));
    await page.getByText('Like february.csv: its dataset monthly').waitFor();
    await page.getByText('in the dataset').first().waitFor();
    await page.getByLabel('Identifies: text').check();
    await page.getByText('Every cell fits').waitFor();
    await page.getByRole('combobox', { name: /^Dataset/ }).fill('yearly');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.readFiles();
    await page.getByRole('link', { name: 'Make a reconciliation' }).click();
    await page.getByRole('dialog').getByLabel('One side').selectOption('yearly');
    const { items } = (await bench.tenant.api.get('/v1/datasets?limit=100').expect(200)).body as {
      items: { id: string; name: string }[];
    };
    const made = items.find(({ name }) => name === 'yearly')?.id;
    const { body: fields } = await bench.tenant.api.get(`/v1/datasets/${made}/fields`).expect(200);
    expect(fields).toContainEqual(expect.objectContaining({ key: 'text', is_identity: true }));
    await page.close();
  });

  test('a dataset that is named while a file is read keeps its name; a press before its fields counts', async () => {
    const { api } = bench.tenant;
    await uploadTo(api, await newSource(api), statement, { dataset: 'weekly', fromColumns: 'true' }, 'week.csv');
    await bench.readFiles();
    const { page } = await bench.open('/import');
    const dataset = page.getByRole('combobox', { name: /^Dataset/ });
    const read = await gate(page, '**/files/preview');
    await page.locator('input[type=file]').setInputFiles(file(statement.replace('soon', '9,00'), 'april.csv'));
    await dataset.fill('quarterly');
    await read();
    await page.getByText('Every cell fits').waitFor();
    expect(await dataset.inputValue()).toBe('quarterly');
    await dataset.press('Enter');
    const known = await gate(page, '**/v1/datasets/*/fields');
    await dataset.fill('weekly');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    expect(await page.getByLabel('Type: amount').isVisible()).toBe(true);
    await known();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await page.close();
  });

  test('fields that were changed give way to those of another dataset only where a person sees it', async () => {
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file('Booked;Total\n01.02.2026;7,50\n', 'may.csv'));
    const known = await gate(page, '**/v1/datasets/*/fields');
    await page.getByLabel('Identifies: total').check();
    await page.getByRole('combobox', { name: /^Dataset/ }).fill('weekly');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await known();
    await page.getByText('“weekly” has fields of its own').waitFor();
    expect(await page.getByRole('heading', { name: 'Rows are being read' }).count()).toBe(0);
    expect(await page.getByLabel('Identifies: total').isChecked()).toBe(false);
    // A reading that is refused leaves the way to choose another.
    await page.getByLabel('Line of names').fill('90');
    await page.getByLabel('Line of names').press('Enter');
    await page.getByRole('alert').waitFor();
    const read = await gate(page, '**/files/preview');
    await page.getByLabel('Line of names').fill('');
    await page.getByLabel('Line of names').press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // The fields have been seen: a press counts also while the file is read again.
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await read();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await page.close();
  });

  test('two datasets become a reconciliation with rules and the days of its person, and lead to them', async () => {
    const { page, log } = await bench.open('/', { timezoneId: 'Asia/Tokyo' });
    const { api: tenant } = bench.tenant;
    for (const name of ['orders', 'payments']) {
      await tenant.post('/v1/datasets', { name }).expect(201);
      const bodyOf = (i: number) => ({ number: `INV-${1_000 + 7 * i}`, amount: 10.5 * i + 3, date: '2026-03-01' });
      const lines = Array.from({ length: 40 }, (_, i) => ({ externalId: `${name}-${i}`, body: bodyOf(i) }));
      await tenant.post(`/v1/records/bulk?dataset=${name}`, lines).expect(202);
    }
    await bench.readFiles();
    await bench.api.startMatching();
    await page.reload();
    await page.getByRole('button', { name: 'New reconciliation' }).click();
    await page.getByLabel('Name').fill('Orders and payments');
    await page.getByLabel('One side').selectOption('orders');
    await page.getByLabel('The other side').selectOption('payments');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'New reconciliation' }).click();
    await page.getByRole('heading', { name: 'What speaks for a match' }).waitFor();
    await page.getByText('Match 40').waitFor();
    expect((await tenant.get('/v1/reconciliations')).body).toMatchObject({ items: [{ timezone: 'Asia/Tokyo' }] });
    expect(faultsIn(log)).toEqual([]);
    await page.close();
  });

  test('a file that cannot be read says why, and another can be chosen', async () => {
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file('%PDF-1.7', 'bill.pdf'));
    await page.getByRole('alert').waitFor();
    await page.locator('input[type=file]').setInputFiles(file('a,b\n1,2\n', 'other.csv'));
    await page.getByText('Every cell fits').waitFor();
    await page.close();
  });

  describe('the rules of a reconciliation', () => {
    let id: string;
    let ruleSet: string;

    beforeAll(async () => {
      const { api } = bench.tenant;
      const made = async (path: string, body: object): Promise<string> =>
        ((await api.post(path, body).expect(201)).body as { id: string }).id;
      const datasets = await Promise.all(['our lines', 'their lines'].map((name) => made('/v1/datasets', { name })));
      for (const [at, dataset] of ['our lines', 'their lines'].entries()) {
        const lines = Array.from({ length: 12 }, (_, i) => ({
          externalId: `${at}-${i}`,
          body: { ref: `INV-${i}`, amount: i + at / 100, text: `pays INV-${i} <b>now</b>` },
        }));
        await api.post(`/v1/records/bulk?dataset=${encodeURIComponent(dataset)}`, lines).expect(202);
      }
      await bench.readFiles();
      await bench.api.startMatching();
      ruleSet = await made('/v1/rule-sets', {
        name: 'By reference',
        leftDatasetId: datasets[0],
        rightDatasetId: datasets[1],
        engine: 'jsonata-batch',
        params: {
          Tmatch: 0.9,
          Tpossible: 0.5,
          assignment: 'one_to_one',
          matchers: [
            { id: 'ref', name: 'Reference', expr: 'left.ref = right.ref', weight: 3 },
            { id: 'amount', name: 'Amount', expr: '$amountClose(left.amount, right.amount, 0.02)', weight: 1 },
          ],
        },
      });
      id = await made('/v1/reconciliations', {
        name: 'Lines',
        leftDatasetIds: [datasets[0]],
        rightDatasetIds: [datasets[1]],
        ruleSetIds: [ruleSet],
      });
    });

    test.each([
      ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
      ['dark', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
    ] as const)('are edited with live scores, without a fault of access in %s', async (name, options) => {
      const { page, log } = await bench.open(`/reconciliations/${id}/rules`, options);
      await page.getByText('Match 12').waitFor();
      await page.getByText('New: 12 matches, 0 suggestions. Lost: 0 matches, 0 suggestions.').waitFor();
      await page.locator('.code-editor').getByRole('textbox').first().waitFor();
      await page.locator('.pair-head').first().click();
      await page.getByRole('row', { name: /INV-/ }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, `rules-${name}`);
      expect(faultsIn(log)).toEqual([]);
      await page.close();
    });

    test('a threshold that is moved by keys counts at once, and is saved', async () => {
      const { page } = await bench.open(`/reconciliations/${id}/rules`);
      const slider = page.getByRole('slider', { name: /^Match from/ });
      await slider.focus();
      await page.keyboard.press('ArrowLeft');
      await page.getByText('not saved').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The rules are saved').waitFor();
      const { body } = await bench.tenant.api.get(`/v1/rule-sets/${ruleSet}`);
      expect(body).toMatchObject({ params: { Tmatch: 0.89, matchers: [{ id: 'ref' }, { id: 'amount' }] } });
      await page.close();
    });

    test('thresholds that are dragged count again what would change, and all records are tried on demand', async () => {
      const { page, log } = await bench.open(`/reconciliations/${id}/rules`);
      const trial = page.getByRole('region', { name: 'What it would change' });
      await trial.getByText('Match 12').waitFor();
      await trial.getByRole('button', { name: 'New 12' }).waitFor();
      await trial.locator('.pair-head').first().click();
      await trial.getByRole('columnheader', { name: 'their lines' }).waitFor();
      await page.getByRole('slider', { name: /^Suggest from/ }).fill('0.2');
      await trial.getByText(/Suggestion ≈/).waitFor();
      await trial.getByText('by the thresholds that were tried, 0.89 and 0.5.').waitFor();
      await page.getByLabel('What it compares: ref').fill('Number');
      await page.getByRole('checkbox', { name: 'required' }).first().check();
      await trial.getByText('The rules have changed since').waitFor();
      await trial.getByRole('button', { name: 'Try on all records' }).click();
      await trial.getByText('The rules have changed since').waitFor({ state: 'detached' });
      await trial.getByText('Match 12').waitFor();
      expect(faultsIn(log)).toEqual([]);
      await page.close();
    });

    test('pairs out of all records are scored as rules change, by kind and by ids', async () => {
      const { page } = await bench.open(`/reconciliations/${id}/rules`);
      const pairs = page.getByRole('region', { name: 'Pairs' });
      await pairs.getByText('Pairs of all the records that were tried').waitFor();
      for (const kind of ['Near match', 'Near suggestion', 'Random', 'Best'])
        await pairs.getByRole('button', { name: kind }).click();
      expect(await pairs.locator('.pair-head').count()).toBe(12);
      await page.getByLabel('What it compares: ref').waitFor();
      await page.getByRole('slider', { name: 'weight: Reference' }).fill('0');
      await pairs.getByText('0.99').first().waitFor({ state: 'detached' });
      await pairs.getByText('A pair by ids').click();
      await pairs.getByLabel('Id left').fill('nonsense');
      await pairs.getByLabel('Id right').fill('nonsense');
      await pairs.getByRole('button', { name: 'Score' }).click();
      await pairs.getByRole('alert').waitFor();
      await page.close();
    });

    test('ways to find pairs and groups that add up are edited as forms, and saved', async () => {
      const { page, log } = await bench.open(`/reconciliations/${id}/rules`);
      await page.getByText('Match 12').waitFor();
      await page.getByRole('checkbox', { name: 'Compare only pairs' }).check();
      await page.getByLabel('Amount our lines').fill('amount');
      await page.getByLabel('Amount their lines').fill('amount');
      await page.getByRole('button', { name: 'Add another way to find pairs' }).click();
      const [first, second] = [page.getByRole('group', { name: 'Way 1' }), page.getByRole('group', { name: 'Way 2' })];
      await first.getByLabel('Amounts may differ by').fill('0.5');
      await first.getByText('Amounts at most 0.5 apart.').waitFor();
      await second.getByRole('button', { name: 'Add an equal key' }).click();
      await second.getByRole('checkbox', { name: 'The texts are among' }).check();
      await second.getByLabel('Most similar texts').fill('3');
      await second.getByText('The 3 most similar texts of each record.').waitFor();
      await page.getByRole('checkbox', { name: 'Look for groups that add up' }).check();
      await page.getByLabel('At most so many members').fill('5');
      await page.getByText('One of our lines, many of their lines: up to 5 that add up.').waitFor();
      await page.getByRole('checkbox', { name: 'Reference', exact: true }).check();
      await page.getByRole('checkbox', { name: 'Suggest sums that are not complete' }).check();
      await page.getByLabel('Share of the sum, at least').fill('0.8');
      expect(await violationsOf(page)).toEqual([]);
      await picture(page, 'rules-forms');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The rules are saved').waitFor();
      const { body } = await bench.tenant.api.get(`/v1/rule-sets/${ruleSet}`);
      expect(body).toMatchObject({
        params: {
          blocking: {
            enabled: true,
            amountKeyLeft: 'amount',
            amountKeyRight: 'amount',
            rules: [
              { name: 'Way 1', amountTolerance: 0.5 },
              { name: 'Way 2', keys: [{}], text: { top: 3 } },
            ],
          },
          composition: {
            enabled: true,
            maxGroupSize: 5,
            evidence: { matchers: ['ref'] },
            partial: { enabled: true, minCompletionRatio: 0.8 },
          },
        },
      });
      // The preview follows the forms, and refuses rules that are half filled in.
      expect(faultsIn(log).filter((fault) => !/rule-sets\/preview 400|status of 400/.test(fault))).toEqual([]);
      await page.close();
    });

    test('rules are suggested from the records, and added as a pass', async () => {
      const { page, log } = await bench.open(`/reconciliations/${id}/rules`);
      await page.getByRole('button', { name: 'Suggest rules' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: /What speaks for a match|Nothing connects/ }).waitFor();
      expect(faultsIn(log)).toEqual([]);
      await page.close();
    });

    test('an expression is completed with fields, coloured, and told of where it is wrong', async () => {
      const { page, log } = await bench.open(`/reconciliations/${id}/rules`);
      const editor = page.getByRole('textbox', { name: 'Score: Reference' });
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('left.re');
      await page.getByRole('option', { name: 'ref' }).click();
      expect(await editor.textContent()).toBe('left.ref');
      // Fast typing loses nothing.
      await page.keyboard.press('Control+A');
      await page.keyboard.type('left.amount < 1000 and left.ref', { delay: 0 });
      expect(await editor.textContent()).toBe('left.amount < 1000 and left.ref');
      await page.keyboard.type(' = = 1?');
      await page.locator('.matcher [role=alert]').waitFor();
      await page.locator('.code-editor .cm-lintRange-error, .code-editor .cm-lintPoint-error').first().waitFor();
      // An expression that is not finished yet is refused by the service.
      expect(faultsIn(log).filter((fault) => !/400/.test(fault))).toEqual([]);
      // A key that is typed into the editor opens no help of keys.
      expect(await page.locator('dialog[open]').count()).toBe(0);
      await page.close();
    });

    test('a key that may not see records edits without pairs', async () => {
      const reader = await bench.api.newKey(bench.tenant, ['reconciliations:read', 'rule-sets:read', 'datasets:read']);
      const { page } = await bench.open(`/reconciliations/${id}/rules`, { key: reader.key });
      await page.getByText('You may not see records').waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      await page.close();
    });
  });
});
