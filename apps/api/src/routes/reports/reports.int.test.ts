import { newId } from '@tieout/infra';
import { allOf, startTestApi, uploadTo, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf } from '../../../testing/runs';

let api: TestApi;
let own: ReconciledBooks;

const date = '2026-03-10';

beforeAll(async () => {
  api = await startTestApi();
  own = await openReconciliation(api, {
    lefts: [
      { ref: 'a', amount: '1234.5', date },
      { ref: 'b', amount: '900719925474.0991', date },
      { ref: 'c', amount: '40', date: '2026-04-01' },
      { ref: 'd', amount: '0.0001' },
    ],
    rights: [
      { ref: 'a', amount: '1234.5', date },
      { ref: 'y', amount: '60', date },
      { ref: 'z', amount: '39', date: '2026-04-02' },
    ],
  });
  await runOf(api, own);
  const said = { assignee: 'Anna', reasonCode: 'timing', note: '=1+1' };
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('l1')}`, said).expect(204);
  const excluded = { excluded: { reasonCode: 'duplicate', note: 'sent twice' } };
  await own.tenant.api
    .patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('r1')}`, excluded)
    .expect(204);
  const adjustments = [{ amount: '-1', reasonCode: 'bank_fee', note: '=HYPERLINK("http://x")' }];
  await own.tie(['l2'], ['r2'], { adjustments, note: '+49 fee' }).expect(201);
});

afterAll(() => api.close());

const get = (query: string, status = 200) =>
  own.tenant.api.get(`/v1/reconciliations/${own.id}/report?${query}`).expect(status);

/** The bytes of the workbook. */
async function workbook(): Promise<Buffer> {
  const headers = { 'x-api-key': own.tenant.key };
  const answer = await fetch(`${api.url}/v1/reconciliations/${own.id}/report`, { headers });
  expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  return Buffer.from(await answer.arrayBuffer());
}

/** Uploads a sheet, and gives the data of its rows. */
async function readBack(bytes: Buffer, sheet: string): Promise<Record<string, unknown>[]> {
  const { body: source } = await own.tenant.api.post('/v1/data-sources', { name: sheet, kind: 'files' }).expect(201);
  const dataset = sheet.toLowerCase().replace(' ', '-');
  await uploadTo(own.tenant.api, (source as { id: string }).id, bytes, { dataset, sheet }, 'report.xlsx');
  await api.runIngest();
  const records = await allOf<{ data: Record<string, unknown> }>(own.tenant, `/v1/records?dataset=${dataset}`);
  return records.map(({ data }) => data).reverse();
}

describe('the report of a reconciliation', () => {
  test('as JSON has summary, groups with records and adjustments, and open items with their age', async () => {
    const { body, headers } = await get('format=json');
    const { body: summary } = await own.tenant.api.get(`/v1/reconciliations/${own.id}/summary`).expect(200);
    expect(body).toMatchObject({
      reconciliation_id: own.id,
      name: 'bank',
      timezone: 'UTC',
      period: null,
      summary,
      groups: [
        { origin: 'auto', left: [{ external_id: 'l0', amount: 1234.5, date }], right: [{ external_id: 'r0' }] },
        {
          origin: 'manual',
          note: '+49 fee',
          difference: 0,
          adjustments: [{ amount: -1, reason_code: 'bank_fee', note: '=HYPERLINK("http://x")' }],
        },
      ],
      open_items: [
        {
          side: 'left',
          external_id: 'l1',
          remaining_amount: '900719925474.0991',
          age: 'over 90',
          excluded: false,
          assignee: 'Anna',
          reason_code: 'timing',
          note: '=1+1',
        },
        { side: 'left', external_id: 'l3', amount: 0.0001, age: 'no date', age_days: null, assignee: null, note: null },
        { side: 'right', external_id: 'r1', excluded: true, reason_code: 'duplicate', note: 'sent twice' },
      ],
    });
    expect(headers['content-disposition']).toBe('attachment; filename="reconciliation.json"');
  });

  test('as a workbook is read by our own reader, with numbers, days and moments as such', async () => {
    const bytes = await workbook();
    const groups = await readBack(bytes, 'Groups');
    expect(groups.map((row) => [row['Line'], row['External id'], row['Date'], row['Amount'], row['Note']])).toEqual([
      ['left', 'l0', date, 1234.5, null],
      ['right', 'r0', date, 1234.5, null],
      ['left', 'l2', '2026-04-01', 40, '+49 fee'],
      ['right', 'r2', '2026-04-02', 39, null],
      ['adjustment', null, null, -1, '=HYPERLINK("http://x")'],
    ]);
    expect(groups[0]).toMatchObject({ 'Held at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string });
    const items = await readBack(bytes, 'Open items');
    expect(items.map((row) => [row['Side'], row['External id'], row['Remaining amount'], row['Excluded']])).toEqual([
      ['left', 'l1', '900719925474.0991', null],
      ['left', 'l3', 0.0001, null],
      ['right', 'r1', 60, 'yes'],
    ]);
    expect(items[0]).toMatchObject({ Assignee: 'Anna', 'Reason code': 'timing', Note: '=1+1' });
    const summary = await readBack(bytes, 'Summary');
    expect(summary).toContainEqual(expect.objectContaining({ Part: 'right', Figure: 'excluded', Amount: 60 }));
  });

  test('as CSV has one table, or all of them, and no text that a spreadsheet would run', async () => {
    const { text: groups, headers } = await get('format=csv&section=groups');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="reconciliation-groups.csv"',
    });
    const lines = groups.split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[5]).toContain(`,adjustment,,,-1,,bank_fee,"'=HYPERLINK(""http://x"")",`);
    expect(lines[3]).toContain(",left,l2,2026-04-01,40,,,'+49 fee,0,2026-04,manual,");
    const { text: all } = await get('format=csv');
    expect(all).toContain('\r\n\r\nproof\r\ncurrency,term,left,right,difference,day\r\n');
    expect(all).toContain(`\r\n\r\ngroups\r\n${groups}\r\nopen_items\r\n`);
    expect(all.startsWith('summary\r\npart,figure,')).toBe(true);
  });

  test.each<[string, string, number, object]>([
    ['a section of a workbook', 'section=groups', 400, { errors: [{ path: '/query/section', code: 'section' }] }],
    ['a month that is none', 'period=2026-13', 400, { errors: [{ path: '/query/period' }] }],
    ['the last month of all years', 'period=9999-12', 400, { errors: [{ path: '/query/period', code: 'period' }] }],
    ['an unknown format', 'format=pdf', 400, { errors: [{ path: '/query/format' }] }],
  ])('of %s is refused at its place', async (_what, query, status, error) => {
    expect((await get(query, status)).body).toMatchObject(error);
  });

  test('of an unknown reconciliation is 404', () =>
    own.tenant.api.get(`/v1/reconciliations/${newId()}/report`).expect(404));

  test.each([
    ['records:read', ['reconciliations:read', 'matches:read']],
    ['matches:read', ['reconciliations:read', 'records:read']],
    ['reconciliations:read', ['records:read', 'matches:read']],
  ])('needs the scope %s', async (lacking, scopes) => {
    const { key } = await api.newKey(own.tenant, scopes);
    const answer = await api.withKey(key).get(`/v1/reconciliations/${own.id}/report`).expect(403);
    expect(answer.body).toMatchObject({ message: expect.stringContaining(lacking) as string });
  });
});

describe('the report of a month', () => {
  const report = async (month: string, format = 'format=json') =>
    own.tenant.api.get(`/v1/reconciliations/${own.id}/report?period=${month}&${format}`).expect(200);
  const names = ({ body }: { body: unknown }): string[][] => {
    const { groups, open_items: items } = body as {
      groups: { left: { external_id: string }[] }[];
      open_items: { external_id: string }[];
    };
    const of = (all: { external_id: string }[]): string => all.map((one) => one.external_id).join();
    return [groups.map(({ left }) => of(left)), [of(items)]];
  };
  const march = '2026-03';

  beforeAll(async () => {
    const state = (side: string, amount: string) =>
      own.tenant.api.post(`/v1/reconciliations/${own.id}/balances`, { side, amount, date: '2026-03-31' }).expect(201);
    await state('left', '900719926708.5992');
    await state('right', '1294.5');
  });

  test('has the groups of that month, and what was open at its end, also if a later month ties it', async () => {
    expect(names(await report(march))).toEqual([['l0'], ['l1,l3,r1']]);
    expect(names(await report('2026-04'))).toEqual([['l2'], ['l1,l3,r1']]);
    await own.tenant.api.post('/v1/records/bulk?dataset=right', [
      { externalId: 'r9', body: { ref: 'q', amount: '900719925474.0991', date: '2026-04-05' } },
    ]);
    await api.runIngest();
    const { body } = await own.tenant.api.get('/v1/records?externalId=r9').expect(200);
    const [r9] = (body as { items: { id: string }[] }).items;
    await own.tie(['l1'], [], { right: [r9?.id] }).expect(201);
    expect(names(await report(march))).toEqual([['l0'], ['l1,l3,r1']]);
    expect(names(await report('2026-04'))).toEqual([['l2', 'l1'], ['l3,r1']]);
  });

  test('that is closed stays as it was, to the last value, whatever comes later', async () => {
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/${march}/close`, { note: 'done' }).expect(200);
    const all = async (): Promise<unknown[]> => [
      (await report(march)).body,
      (await report('2026-02')).body,
      (await report(march, 'format=csv')).text,
    ];
    const before = await all();
    expect(before[0]).toMatchObject({
      period: march,
      certificate: { note: 'done', by: { type: 'key' }, digest: expect.any(String) as string },
      open_items: [{ external_id: 'l1', age: '8-30', age_days: 21 }, { external_id: 'l3' }, { external_id: 'r1' }],
    });
    expect(before[2]).toContain(',unexplained,,,0,2026-03-31\r\n');
    const changed = { ref: 'a', amount: '1', date: '2026-02-01' };
    await own.tenant.api
      .post('/v1/records/bulk?dataset=left', [
        { externalId: 'l0', body: changed },
        { externalId: 'l3', body: changed },
        { externalId: 'late', body: changed },
      ])
      .expect(202);
    await api.runIngest();
    await own.tenant.api.patch(`/v1/reconciliations/${own.id}/open-items/${own.recordIds.get('r1')}`, {
      excluded: null,
    });
    const { body } = await own.tenant.api.get(`/v1/match-groups?recordId=${own.recordIds.get('l0')}`).expect(200);
    const [group] = (body as { items: { match_id: string }[] }).items;
    await own.tenant.api.post(`/v1/matches/${group?.match_id}/review`, { action: 'confirm' });
    await own.tenant.api.post(`/v1/reconciliations/${own.id}/periods/${march}/lock`, {}).expect(200);
    expect(await all()).toEqual(before);
    const { body: open } = await report('2026-04');
    expect(open).toMatchObject({
      certificate: null,
      open_items: expect.arrayContaining([expect.objectContaining({ external_id: 'late', late: true })]) as object,
    });
  });
});
