import { createMaintenanceHandlers } from '@tieout/domain';
import { alone, amountRules, groupRules, openLedger, startTestApi, type Ledger, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi(alone);
});

afterAll(() => api.close());

const open = async (params: object = amountRules): Promise<Ledger> => {
  const ledger = await openLedger(api, params);
  await ledger.send('left', { I1: 75, I2: 20 });
  await ledger.send('right', { B1: { amount: 75, memo: 'x' }, B2: 20 });
  await ledger.run();
  await ledger.review('I1~B1', 'confirm');
  return ledger;
};

const read = async (ledger: Ledger): Promise<Record<string, unknown>> =>
  (await ledger.tenant.api.get(`/v1/matches/${await ledger.idOf('I1~B1')}`).expect(200)).body as Record<
    string,
    unknown
  >;

const staleIds = async ({ tenant }: Ledger, path = 'matches', stale = true): Promise<string[]> => {
  const { body } = await tenant.api.get(`/v1/${path}?stale=${stale}`).expect(200);
  return (body as { items: { id: string }[] }).items.map(({ id }) => id);
};

test('a confirmed match whose record changes is stale, listed once, and shows both versions', async () => {
  const ledger = await open();
  expect(await read(ledger)).toMatchObject({ stale: false });
  await ledger.send('left', { I1: 7500 });
  const versions = [
    {
      record_id: ledger.recordId('I1'),
      side: 'left',
      confirmed: { revision: 1, values: { amount: 75, date: '2026-03-01' } },
      current: { revision: 2, values: { amount: 7500, date: '2026-03-01' } },
    },
  ];
  expect(await read(ledger)).toMatchObject({ stale: true, versions, review: { status: 'confirmed' } });
  await ledger.patch({ name: 'other name' });
  await ledger.run();
  expect(await read(ledger)).toMatchObject({ stale: true, versions });
  expect(await staleIds(ledger)).toEqual([await ledger.idOf('I1~B1')]);
  expect(await staleIds(ledger, 'matches', false)).toEqual([await ledger.idOf('I2~B2')]);
  expect((await ledger.state()).pairs).toEqual(['I1~B1 MATCH confirmed', 'I2~B2 MATCH']);
});

test.each<[string, 'left' | 'right', Record<string, object>, boolean]>([
  ['an amount on the right', 'right', { B1: { amount: 76, memo: 'x' } }, true],
  ['a date', 'left', { I1: { amount: 75, date: '2026-03-02' } }, true],
  ['an amount that goes', 'left', { I1: {} }, true],
  ['a text in place of a number', 'left', { I1: { amount: '75' } }, true],
  ['nothing', 'left', { I1: { amount: 75 } }, false],
  ['the spelling of a number', 'left', { I1: { amount: 75.0 } }, false],
  ['what no rule reads', 'right', { B1: { amount: 75, memo: 'y' } }, false],
  ['another record', 'left', { I2: { amount: 21 } }, false],
])('with a change of %s', async (_, side, rows, stale) => {
  const ledger = await open();
  await ledger.send(side, rows);
  expect(await read(ledger)).toMatchObject({ stale });
  expect(await staleIds(ledger)).toHaveLength(stale ? 1 : 0);
});

test('a match is stale no longer when the record changes back, or people review it again', async () => {
  const ledger = await open();
  await ledger.send('left', { I1: 7500 });
  await ledger.send('left', { I1: 75 });
  expect(await read(ledger)).toMatchObject({ stale: false });
  await ledger.send('left', { I1: 7500 });
  await ledger.review('I1~B1', 'confirm');
  expect(await read(ledger)).toMatchObject({ stale: false });
  await ledger.send('left', { I1: 75 });
  expect(await read(ledger)).toMatchObject({ stale: true });
  await ledger.review('I1~B1', 'reject');
  expect(await read(ledger)).not.toHaveProperty('stale');
});

test.each([
  ['a member', 'left', { I1: 61 }],
  ['the target', 'right', { PAY: 101 }],
] as const)('a confirmed group is stale when %s changes', async (_, side, rows) => {
  const ledger = await openLedger(api, { ...amountRules, composition: groupRules });
  await ledger.send('left', { I1: 60, I2: 40 });
  await ledger.send('right', { PAY: 100 });
  await ledger.run();
  await ledger.review('PAY=I1+I2', 'confirm');
  expect(await staleIds(ledger, 'composite-matches')).toEqual([]);
  await ledger.send(side, rows);
  const id = await ledger.idOf('PAY=I1+I2');
  expect(await staleIds(ledger, 'composite-matches')).toEqual([id]);
  const { body } = await ledger.tenant.api.get(`/v1/composite-matches/${id}`).expect(200);
  expect(body).toMatchObject({
    stale: true,
    versions: [{ side, confirmed: { revision: 1 }, current: { revision: 2 } }],
  });
  await ledger.run();
  expect((await ledger.state()).groups).toEqual(['PAY=I1+I2 MATCH confirmed']);
});

test('MATCH_STALE tells once of each change, and nothing of records that stay the same', async () => {
  const ledger = await open();
  const { db } = api.service.deps;
  await ledger.tenant.api
    .post('/v1/webhooks', { url: 'https://receiver.example/hook', secret: 'a-secret-of-16-chars' })
    .expect(201);
  const sweep = createMaintenanceHandlers(api.service.deps, { keyIds: [] })['maintenance.sweep'];
  const told = async (): Promise<unknown[]> => {
    await sweep();
    const rows = await db.system.query<{ body: string }>(
      `select body from events where tenant_id = $1::uuid and type = 'MATCH_STALE' order by id`,
      [ledger.tenant.tenantId],
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };
  await ledger.send('left', { I1: 75, I2: 20 });
  expect(await told()).toEqual([]);
  await ledger.send('left', { I1: 7500 });
  const data = { matchId: await ledger.idOf('I1~B1'), ruleSetId: ledger.ruleSetId, recordIds: [ledger.recordId('I1')] };
  expect(await told()).toMatchObject([data]);
  await ledger.send('left', { I1: 7501 });
  expect(await told()).toHaveLength(1);
  await ledger.send('left', { I1: 75 });
  expect(await told()).toHaveLength(1);
  await ledger.send('left', { I1: 7500 });
  expect(await told()).toHaveLength(2);
});

test('what was stored of a confirmed match goes with its record, and with its rule set', async () => {
  const kept = async (ledger: Ledger): Promise<unknown[]> =>
    api.service.deps.db.system.query('select 1 from reviewed_records where tenant_id = $1::uuid', [
      ledger.tenant.tenantId,
    ]);
  const one = await open();
  expect(await kept(one)).toHaveLength(2);
  await one.tenant.api.delete(`/v1/records/${one.recordId('B1')}`).expect(204);
  expect(await kept(one)).toEqual([]);
  const other = await open();
  await other.tenant.api.delete(`/v1/rule-sets/${other.ruleSetId}`).expect(204);
  expect(await kept(other)).toEqual([]);
});
