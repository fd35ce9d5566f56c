import { findChromium } from '../../dashboard/testing/chromium';
import { newSource, uploadTo } from '../../api/testing';
import { openBench, violationsOf, type ConsoleBench, type OpenScreen } from './browser';

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
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.api.runIngest();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    await picture(page, `import-done-${name}`);
    await page.getByText('"soon"').first().waitFor({ timeout: 5_000 });
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, `import-done-${name}`);
    const corrected = file(statement.replace('soon', '7,00'), 'corrected.csv');
    await page.locator('input[type=file]').first().setInputFiles(corrected);
    await page.getByText('Corrects bank.csv').waitFor();
    await page.getByText('Every cell fits').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows are being read' }).waitFor();
    await bench.api.runIngest();
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
    await bench.api.runIngest();
    const { page } = await bench.open('/import');
    await page.locator('input[type=file]').setInputFiles(file(statement.replace('soon', '8,00'), 'march.csv'));
    await page.getByText('Like february.csv: its dataset monthly').waitFor();
    await page.getByText('in the dataset').first().waitFor();
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
      await bench.api.runIngest();
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
      await page.getByText('Match 10').waitFor();
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

    test('an expression is completed with fields, coloured, and told of where it is wrong', async () => {
      const { page } = await bench.open(`/reconciliations/${id}/rules`);
      const editor = page.getByRole('textbox', { name: 'Score: Reference' });
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('left.re');
      await page.getByRole('option', { name: 'ref' }).click();
      expect(await editor.textContent()).toBe('left.ref');
      await page.keyboard.type(' = = 1?');
      await page.locator('.matcher [role=alert]').waitFor();
      await page.locator('.code-editor .cm-lintRange-error, .code-editor .cm-lintPoint-error').first().waitFor();
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
