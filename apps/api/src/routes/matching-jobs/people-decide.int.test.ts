import { amountRules, groupRules, openLedger, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const composing = { ...amountRules, composition: groupRules };
const partial = { enabled: true, minMembers: 1, minCompletionRatio: 0.3 };
const installments = {
  ...amountRules,
  Tpossible: 0.2,
  composition: { enabled: true, dateStrategy: 'after', dateToleranceDays: 60, partial },
};

describe('what people confirmed', () => {
  test.each([
    ['a member’s side', { left: { I3: 100 } }, 'left', { I3: 'held' }],
    ['the target’s side', { right: { NEW: 60 } }, 'right', { NEW: 'held' }],
    ['both sides', { left: { I3: 100 }, right: { NEW: 40 } }, 'left', { I3: 'held' }],
    ['the target again', { right: { PAY2: { amount: 100, date: '2026-03-02' } } }, 'right', { PAY2: 'held' }],
    [
      'the target with another amount',
      { right: { PAY2: { amount: 101, date: '2026-03-02' } } },
      'right',
      { PAY2: 'no_candidate' },
    ],
    ['a pair of its own', { left: { I3: 70 }, right: { B3: 70 } }, 'left', {}],
  ] as const)('as a group holds its records against what arrives on %s', async (_, arriving, side, reasons) => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40 });
    await ledger.send('right', { PAY: 100 });
    await ledger.run();
    await ledger.review('PAY=I1+I2', 'confirm');
    for (const [name, rows] of Object.entries(arriving))
      await ledger.send(name as 'left', rows as object as Record<string, number>);
    await ledger.run();
    const { pairs, groups } = await ledger.state();
    expect(groups).toEqual(['PAY=I1+I2 MATCH confirmed']);
    expect(pairs.filter((pair) => /PAY|I1|I2/.test(pair))).toEqual([]);
    expect(await ledger.reasons(side)).toEqual(reasons);
  });

  test.each([
    ['without assignment', { assignment: 'none' }],
    ['without composition', { composition: { ...groupRules, enabled: false } }],
    ['with skipAlreadyMatched false', { composition: { ...groupRules, skipAlreadyMatched: false } }],
    ['under another threshold', { Tmatch: 0.7 }],
  ])('as a group holds its records %s', async (_, change) => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40 });
    await ledger.send('right', { PAY: 100 });
    await ledger.run();
    await ledger.review('PAY=I1+I2', 'confirm');
    await ledger.patch({ params: { ...composing, ...change } });
    await ledger.send('left', { I3: 100 });
    await ledger.run();
    expect(await ledger.state()).toEqual({ pairs: [], groups: ['PAY=I1+I2 MATCH confirmed'] });
    expect(await ledger.reasons('left')).toEqual({ I3: 'held' });
    expect(await ledger.reasons('right')).toEqual({});
  });

  test('while a job runs holds at its end, whatever its step', async () => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40 });
    await ledger.send('right', { PAY: 100 });
    await ledger.run();
    await ledger.send('left', { I3: 100 });
    const { body } = await ledger.tenant.api.post('/v1/matching-jobs', { dataset: 'left' }).expect(202);
    await ledger.review('PAY=I1+I2', 'confirm');
    await api.runMatching();
    const { body: job } = await ledger.tenant.api.get(`/v1/matching-jobs/${(body as { id: string }).id}`).expect(200);
    expect(job).toMatchObject({ status: 'completed', decision_counts: { MATCH: 0, COMPOSITE_MATCH: 0 } });
    expect(await ledger.state()).toEqual({ pairs: [], groups: ['PAY=I1+I2 MATCH confirmed'] });
  });

  test.each([
    ['left', { I2: 75 }],
    ['right', { B2: 75 }],
  ] as const)('as a pair holds its records against what arrives on the %s', async (side, arriving) => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', { I1: 75 });
    await ledger.send('right', { B1: 75 });
    await ledger.run();
    await ledger.review('I1~B1', 'confirm');
    await ledger.send(side, arriving);
    await ledger.run();
    expect((await ledger.state()).pairs.filter((pair) => pair.includes(' MATCH'))).toEqual(['I1~B1 MATCH confirmed']);
    expect(Object.values(await ledger.reasons(side))).toEqual(['held']);
  });

  test.each([
    ['with skipAlreadyMatched false', { skipAlreadyMatched: false }],
    ['by default', {}],
  ])('as a pair holds its records against groups %s', async (_, change) => {
    const ledger = await openLedger(api, {
      ...amountRules,
      composition: { ...groupRules, direction: 'both', dateStrategy: 'none', ...change },
    });
    await ledger.send('left', { I1: 75 });
    await ledger.send('right', { B1: 75 });
    await ledger.run();
    await ledger.review('I1~B1', 'confirm');
    await ledger.send('left', { I2: 25, I3: 30, I4: 45 });
    await ledger.send('right', { PAY: 100, B3: 50, B4: 25.5 });
    await ledger.run();
    const { groups } = await ledger.state();
    expect(groups.filter((group) => /I1|B1/.test(group))).toEqual([]);
    expect(groups).toEqual(['PAY=I2+I3+I4 MATCH']);
  });

  test('as a pair holds its records against the confirmation of a group', async () => {
    const ledger = await openLedger(api, {
      ...amountRules,
      composition: { ...groupRules, dateStrategy: 'none', skipAlreadyMatched: false },
    });
    await ledger.send('left', { I1: 75, I2: 25 });
    await ledger.send('right', { B1: 75, PAY: 100 });
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['PAY=I1+I2 MATCH']);
    await ledger.review('PAY=I1+I2', 'reject');
    await ledger.review('I1~B1', 'confirm');
    expect(await ledger.review('PAY=I1+I2', 'confirm', 409)).toMatchObject({ code: 'conflict' });
  });

  test('as a group cannot be taken by a pair that is confirmed', async () => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40, I3: { amount: 100, date: '2026-03-09' } });
    await ledger.send('right', { PAY: { amount: 100, date: '2026-03-05' } });
    await ledger.run();
    await ledger.review('I3~PAY', 'reject');
    await ledger.run();
    await ledger.review('PAY=I1+I2', 'confirm');
    expect(await ledger.review('I3~PAY', 'confirm', 409)).toMatchObject({ code: 'conflict' });
  });
});

describe('a confirmed partial group', () => {
  const open = async (params: object = installments) => {
    const ledger = await openLedger(api, params);
    await ledger.send('left', { I1: 900 });
    await ledger.send('right', { T1: 300 });
    await ledger.run();
    await ledger.review('I1=T1', 'confirm');
    return ledger;
  };

  test('leaves the rest of its target open, which a later record completes', async () => {
    const ledger = await open();
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: 600 });
    await ledger.run();
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: 600 });
    expect(await ledger.unmatched('right')).toEqual({});
    expect((await ledger.run()).warnings).toEqual([]);
    expect(await ledger.reasons('left')).toEqual({ I1: 'no_candidate' });
    await ledger.send('right', { T2: { amount: 600, date: '2026-03-20' } });
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['I1=T1 POSSIBLE confirmed', 'I1=T2 MATCH']);
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([{}, {}]);
    await ledger.review('I1=T2', 'confirm');
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['I1=T1 POSSIBLE confirmed', 'I1=T2 MATCH confirmed']);
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([{}, {}]);
  });

  test.each([
    ['two more records', { T2: 250, T3: 350 }, ['I1=T1 POSSIBLE confirmed', 'I1=T2+T3 MATCH'], {}],
    ['a record of its whole amount', { T9: 900 }, ['I1=T1 POSSIBLE confirmed'], { T9: 'held' }],
    ['a part of the rest', { T2: 200 }, ['I1=T1 POSSIBLE confirmed', 'I1=T2 POSSIBLE'], { T2: 'possible_only' }],
    ['more than the rest', { T2: 700 }, ['I1=T1 POSSIBLE confirmed'], { T2: 'no_candidate' }],
  ])('meets %s', async (_, arriving, groups, reasons) => {
    const ledger = await open();
    await ledger.send('right', arriving);
    await ledger.run();
    expect(await ledger.state()).toEqual({ pairs: [], groups });
    expect(await ledger.reasons('right')).toEqual(reasons);
  });

  test('is completed step by step, and never beyond its amount', async () => {
    const ledger = await open();
    await ledger.send('right', { T2: 200 });
    await ledger.run();
    await ledger.review('I1=T2', 'confirm');
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: 400 });
    await ledger.send('right', { T3: 400, T4: 400 });
    await ledger.run();
    expect((await ledger.state()).groups).toEqual([
      'I1=T1 POSSIBLE confirmed',
      'I1=T2 POSSIBLE confirmed',
      'I1=T3 MATCH',
    ]);
    expect(await ledger.reasons('left')).toEqual({});
    expect(Object.keys(await ledger.reasons('right'))).toEqual(['T4']);
  });

  test('that was rejected by mistake is confirmed again, beside what has completed its target', async () => {
    const ledger = await open();
    await ledger.send('right', { T2: 600 });
    await ledger.run();
    await ledger.review('I1=T2', 'confirm');
    await ledger.review('I1=T1', 'reject');
    await ledger.review('I1=T1', 'confirm');
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['I1=T1 POSSIBLE confirmed', 'I1=T2 MATCH confirmed']);
    expect(await ledger.reasons('left')).toEqual({});
  });

  test('opens again when it is rejected, and is confirmed again as long as its target has room', async () => {
    const ledger = await open();
    await ledger.send('right', { T2: 200 });
    await ledger.run();
    await ledger.review('I1=T1', 'reject');
    await ledger.review('I1=T2', 'confirm');
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: 700 });
    await ledger.review('I1=T1', 'confirm');
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: 400 });
    await ledger.review('I1=T1', 'reject');
    await ledger.send('right', { T3: 700 });
    await ledger.run();
    await ledger.review('I1=T3', 'confirm');
    expect(await ledger.review('I1=T1', 'confirm', 409)).toMatchObject({ code: 'conflict' });
  });

  test('of a negative target leaves a negative rest', async () => {
    const ledger = await openLedger(api, installments);
    await ledger.send('left', { I1: -900.3 });
    await ledger.send('right', { T1: -300.1 });
    await ledger.run();
    await ledger.review('I1=T1', 'confirm');
    await ledger.send('right', { T2: -600.2 });
    expect((await ledger.unmatched('left'))['I1']).toMatchObject({ remaining_amount: -600.2 });
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['I1=T1 POSSIBLE confirmed', 'I1=T2 MATCH']);
  });

  test.each([
    ['as the last part of a target', { T2: { amount: 700, date: '2026-03-20' } }, { I2: 100 }, []],
    ['as a part of a target', { T2: { amount: 1000, date: '2026-03-20' } }, { I2: 100 }, []],
    ['beside a target that completes it', { T2: { amount: 600, date: '2026-03-20' } }, { I2: 100 }, ['I1=T2 MATCH']],
  ])('gives its rest to no group of the other direction: %s', async (_, rights, lefts, groups) => {
    const ledger = await open({ ...installments, composition: { ...installments.composition, direction: 'both' } });
    await ledger.patch({
      params: { ...installments, composition: { enabled: true, direction: 'both', dateStrategy: 'none', partial } },
    });
    await ledger.send('left', lefts);
    await ledger.send('right', rights);
    await ledger.run();
    const all = (await ledger.state()).groups;
    expect(all.filter((group) => /=.*I1/.test(group) && !group.endsWith('confirmed'))).toEqual([]);
    expect(all.filter((group) => group.endsWith(' MATCH'))).toEqual(groups);
  });

  test('takes the installments of its plan one after the other', async () => {
    const ledger = await openLedger(api, {
      ...installments,
      composition: {
        ...installments.composition,
        partial: { enabled: true, minMembers: 1, minCompletionRatio: 0.2 },
        installmentDiscovery: { enabled: true, totalCountField: 'plan' },
      },
    });
    await ledger.send('left', { I1: 400 });
    for (const at of [1, 2, 3, 4]) {
      await ledger.send('right', { [`T${at}`]: { amount: 100, plan: `${at}/4` } });
      await ledger.run();
      await ledger.review(`I1=T${at}`, 'confirm');
    }
    expect([await ledger.reasons('left'), (await ledger.run()).status]).toEqual([{}, 'completed']);
    expect(await ledger.reasons('left')).toEqual({});
  });
});

describe('a rejection', () => {
  const rename = { name: 'other name' };
  test.each<[string, object]>([
    ['a new name', rename],
    ['a free-form map', { logicJson: { note: 'x' } }],
    ['a default that is spelt out', { params: { ...amountRules, composition: { enabled: false } } }],
    ['keys in another order', { params: Object.fromEntries(Object.entries(amountRules).reverse()) }],
    [
      'white space in an expression',
      {
        params: {
          ...amountRules,
          matchers: [{ ...amountRules.matchers[0], expr: 'left.amount=right.amount /* x */' }],
        },
      },
    ],
    ['the name of a matcher', { params: { ...amountRules, matchers: [{ ...amountRules.matchers[0], name: 'A' }] } }],
  ])('of a pair holds after %s', async (_, change) => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', { I1: 75, I2: 20 });
    await ledger.send('right', { B1: 75, B2: 20 });
    await ledger.run();
    await ledger.review('I1~B1', 'reject');
    await ledger.patch(change);
    await ledger.run();
    expect((await ledger.state()).pairs).toEqual(['I1~B1 MATCH rejected', 'I2~B2 MATCH']);
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([
      { I1: 'rejected' },
      { B1: 'rejected' },
    ]);
  });

  test.each<[string, object]>([
    ['a threshold', { params: { ...amountRules, Tpossible: 0.4 } }],
    ['an expression', { params: { ...amountRules, matchers: [{ expr: 'right.amount = left.amount' }] } }],
    ['blocking', { params: { ...amountRules, blocking: { ...amountRules.blocking, dateToleranceDays: 21 } } }],
  ])('of a pair ends with another %s, and holds again with the old one', async (_, change) => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', { I1: 75 });
    await ledger.send('right', { B1: 75 });
    await ledger.run();
    await ledger.review('I1~B1', 'reject');
    await ledger.patch(change);
    expect((await ledger.run()).decision_counts).toMatchObject({ MATCH: 1 });
    await ledger.patch({ params: amountRules });
    expect((await ledger.run()).decision_counts).toMatchObject({ MATCH: 0, NO_MATCH: 1 });
  });

  test('of a group holds after a new name', async () => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40 });
    await ledger.send('right', { PAY: 100 });
    await ledger.run();
    await ledger.review('PAY=I1+I2', 'reject');
    await ledger.patch(rename);
    await ledger.run();
    expect((await ledger.state()).groups).toEqual(['PAY=I1+I2 MATCH rejected']);
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([
      { I1: 'rejected', I2: 'rejected' },
      { PAY: 'rejected' },
    ]);
  });
});
