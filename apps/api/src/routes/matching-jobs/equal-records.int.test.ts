import { amountRules, openLedger, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

describe('equal records', () => {
  const many = (name: string, count: number, row: object = { amount: 4.5 }): Record<string, object> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at + 1}`, row]));
  const tied = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `L${at + 1}~R${at + 1} MATCH`).sort();

  test.each([3, 20])('%i on both sides are tied in order', async (count) => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', many('L', count));
    await ledger.send('right', many('R', count));
    const { decision_counts: counts } = await ledger.run();
    expect((await ledger.state()).pairs).toEqual(tied(count));
    expect(counts).toMatchObject({ MATCH: count, POSSIBLE: 0, NO_MATCH: count * (count - 1) });
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([{}, {}]);
    const { body } = await ledger.tenant.api.get(`/v1/matches/${await ledger.idOf('L2~R2')}`).expect(200);
    expect(body).toMatchObject({ explanation: { interchangeable: count } });
  });

  test.each<[string, object, object, string[], string[]]>([
    ['what is left over on one side is unmatched', many('L', 3), many('R', 2), tied(2), ['L3']],
    [
      'texts that are not read do not count',
      { L1: { amount: 4.5, memo: 'a' }, L2: { amount: 4.5, memo: 'b' } },
      many('R', 2),
      tied(2),
      [],
    ],
    ['spellings of one number are one number', { L1: { amount: 4.5 }, L2: { amount: 4.5 } }, many('R', 2), tied(2), []],
    [
      'a left-over record takes the next best day',
      many('L', 3),
      { ...many('R', 2), R3: { amount: 4.5, date: '2026-03-02' } },
      tied(3),
      [],
    ],
  ])('%s', async (_, lefts, rights, pairs, open) => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', lefts as Record<string, object>);
    await ledger.send('right', rights as Record<string, object>);
    await ledger.run();
    expect((await ledger.state()).pairs.filter((pair) => pair.endsWith(' MATCH'))).toEqual(pairs);
    expect(Object.keys(await ledger.reasons('left'))).toEqual(open);
  });

  const byNumber = { ...amountRules, matchers: [{ expr: '$number(left.amount) = $number(right.amount)' }] };
  const at = (hour: number) => ({ amount: 4.5, date: `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z` });
  test.each<[string, object, Record<string, object>, Record<string, object>, string[]]>([
    [
      'amounts written in two ways are equal',
      byNumber,
      { L1: { amount: '4.50' }, L2: { amount: '4.5' } },
      { R1: { amount: '4.5' }, R2: { amount: '4.50' } },
      tied(2),
    ],
    [
      'an amount key with dots is read in its place',
      {
        ...amountRules,
        matchers: [{ expr: '$number(left.net.total) = right.amount' }],
        blocking: { ...amountRules.blocking, amountKeyLeft: 'net.total' },
      },
      { L1: { net: { total: '4.50' } }, L2: { net: { total: '4.5' } } },
      many('R', 2),
      tied(2),
    ],
    ['hours of one day are equal', amountRules, { L1: at(8), L2: at(17) }, { R1: at(9), R2: at(18) }, tied(2)],
    [
      'an expression that tells the writing of amounts apart decides',
      amountRules,
      { L1: { amount: '4.50' }, L2: { amount: '4.5' } },
      { R1: { amount: '4.5' }, R2: { amount: '4.50' } },
      ['L1~R2 MATCH', 'L2~R1 MATCH'],
    ],
    [
      'what is left over of one writing stays open',
      byNumber,
      { L1: { amount: '4.50' }, L2: { amount: '4.5' }, L3: { amount: 4.5 } },
      { R1: { amount: 4.5 } },
      ['L1~R1 MATCH'],
    ],
  ])('%s', async (_, params, lefts, rights, pairs) => {
    const ledger = await openLedger(api, params);
    await ledger.send('left', lefts);
    await ledger.send('right', rights);
    await ledger.run();
    expect((await ledger.state()).pairs.filter((pair) => pair.endsWith(' MATCH'))).toEqual(pairs);
  });

  test('records that differ in what is read stay ambiguous', async () => {
    const ledger = await openLedger(api, {
      ...amountRules,
      matchers: [{ expr: 'left.amount = right.amount' }, { expr: '$exists(left.memo)', weight: 0 }],
    });
    await ledger.send('left', { L1: { amount: 4.5, memo: 'a' }, L2: { amount: 4.5, memo: 'b' } });
    await ledger.send('right', many('R', 2));
    await ledger.run();
    expect(await ledger.reasons('left')).toEqual({ L1: 'ambiguous', L2: 'ambiguous' });
  });

  test('are tied around a rejected pair and a confirmed one', async () => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', many('L', 3));
    await ledger.send('right', many('R', 3));
    await ledger.run();
    await ledger.review('L1~R1', 'reject');
    await ledger.review('L3~R3', 'confirm');
    await ledger.run();
    expect((await ledger.state()).pairs.filter((pair) => pair.includes(' MATCH'))).toEqual([
      'L1~R1 MATCH rejected',
      'L1~R2 MATCH',
      'L2~R1 MATCH',
      'L3~R3 MATCH confirmed',
    ]);
  });
});

describe('one dataset compared with itself', () => {
  test('pairs no record with itself, and each two records once', async () => {
    const ledger = await openLedger(api, { ...amountRules, assignment: 'none' }, { sameDataset: true });
    await ledger.send('left', { A: 5, B: 5, C: 5, D: 7 });
    const job = await ledger.run();
    expect((await ledger.state()).pairs).toEqual(['A~B MATCH', 'A~C MATCH', 'B~C MATCH']);
    expect(job.decision_counts).toMatchObject({ MATCH: 3, POSSIBLE: 0, NO_MATCH: 3 });
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([
      { D: 'no_candidate' },
      { D: 'no_candidate' },
    ]);
  });

  test.each([
    [2, ['A~B MATCH']],
    [3, ['A~B MATCH']],
    [4, ['A~B MATCH', 'C~D MATCH']],
    [5, ['A~B MATCH', 'C~D MATCH']],
    [6, ['A~B MATCH', 'C~D MATCH', 'E~F MATCH']],
  ])('ties %i equal records in order of arrival', async (count, pairs) => {
    const ledger = await openLedger(api, amountRules, { sameDataset: true });
    for (const name of 'ABCDEF'.slice(0, count)) await ledger.send('left', { [name]: 5 });
    await ledger.run();
    expect((await ledger.state()).pairs.filter((pair) => pair.endsWith(' MATCH'))).toEqual(pairs);
    expect(Object.keys(await ledger.reasons('left'))).toEqual(count % 2 === 0 ? [] : ['ABCDEF'[count - 1]]);
  });

  test('keeps the direction in which a rule matches', async () => {
    const ledger = await openLedger(
      api,
      { ...amountRules, blocking: { enabled: false }, matchers: [{ expr: 'left.refunds = right.no' }] },
      { sameDataset: true },
    );
    await ledger.send('left', { A: { no: 'a' }, B: { refunds: 'a' }, C: { refunds: 'd' }, D: { no: 'd' } });
    await ledger.run();
    expect((await ledger.state()).pairs).toEqual(['B~A MATCH', 'C~D MATCH']);
  });

  test('holds what people decided, whatever the direction', async () => {
    const ledger = await openLedger(api, amountRules, { sameDataset: true });
    await ledger.send('left', { A: 5, B: 5, C: 9, D: 9 });
    await ledger.run();
    expect((await ledger.state()).pairs).toEqual(['A~B MATCH', 'C~D MATCH']);
    await ledger.review('A~B', 'confirm');
    await ledger.review('C~D', 'reject');
    await ledger.send('left', { E: 5 });
    await ledger.run();
    expect((await ledger.state()).pairs).toEqual([
      'A~B MATCH confirmed',
      'A~E POSSIBLE',
      'B~E POSSIBLE',
      'C~D MATCH rejected',
    ]);
    expect(await ledger.reasons('left')).toEqual({ C: 'rejected', D: 'rejected', E: 'held' });
  });
});
