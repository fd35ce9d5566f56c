import { amountRules, groupRules, ofCase, openLedger, rowsOfCases, startTestApi, type TestApi } from '../../../testing';

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
  test('as a group holds its records against what arrives on either side', async () => {
    const cases = [
      { left: { I3: 100 }, right: {}, reasons: { left: { I3: 'held' }, right: {} } },
      { left: {}, right: { NEW: 60 }, reasons: { left: {}, right: { NEW: 'held' } } },
      { left: { I3: 100 }, right: { NEW: 40 }, reasons: { left: { I3: 'held' }, right: { NEW: 'held' } } },
      {
        left: {},
        right: { PAY2: { amount: 100, date: '2026-03-02' } },
        reasons: { left: {}, right: { PAY2: 'held' } },
      },
      {
        left: {},
        right: { PAY2: { amount: 101, date: '2026-03-02' } },
        reasons: { left: {}, right: { PAY2: 'no_candidate' } },
      },
      { left: { I3: 70 }, right: { B3: 70 }, reasons: { left: {}, right: {} } },
    ];
    const ledger = await openLedger(api, composing);
    await ledger.send('left', rowsOfCases(cases.map(() => ({ I1: 60, I2: 40 }))));
    await ledger.send('right', rowsOfCases(cases.map(() => ({ PAY: 100 }))));
    await ledger.run();
    for (const at of cases.keys()) await ledger.review(`${at}.PAY=${at}.I1+${at}.I2`, 'confirm');
    await ledger.send('left', rowsOfCases(cases.map(({ left }) => left)));
    await ledger.send('right', rowsOfCases(cases.map(({ right }) => right)));
    await ledger.run();
    const { pairs, groups } = await ledger.state();
    const [left, right] = [await ledger.reasons('left'), await ledger.reasons('right')];
    expect(
      cases.map(({ left: lefts, right: rights }, at) => ({
        left: lefts,
        right: rights,
        reasons: { left: ofCase(at, left), right: ofCase(at, right) },
      })),
    ).toEqual(cases);
    expect(cases.map((_, at) => ofCase(at, groups))).toEqual(cases.map(() => ['PAY=I1+I2 MATCH confirmed']));
    expect(pairs).toEqual(['5.I3~5.B3 MATCH']);
  });

  test('as a group holds its records, whatever the rules say', async () => {
    const ledger = await openLedger(api, composing);
    await ledger.send('left', { I1: 60, I2: 40 });
    await ledger.send('right', { PAY: 100 });
    await ledger.run();
    await ledger.review('PAY=I1+I2', 'confirm');
    await ledger.send('left', { I3: 100 });
    for (const change of [
      { assignment: 'none' },
      { composition: { ...groupRules, enabled: false } },
      { composition: { ...groupRules, skipAlreadyMatched: false } },
      { Tmatch: 0.7 },
    ]) {
      await ledger.patch({ params: { ...composing, ...change } });
      await ledger.run();
      const results = { ...(await ledger.state()), left: await ledger.reasons('left'), change };
      expect(results).toEqual({ pairs: [], groups: ['PAY=I1+I2 MATCH confirmed'], left: { I3: 'held' }, change });
      expect(await ledger.reasons('right')).toEqual({});
    }
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

  test('as a pair holds its records against what arrives on either side', async () => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', rowsOfCases([{ I1: 75 }, { I1: 75 }]));
    await ledger.send('right', rowsOfCases([{ B1: 75 }, { B1: 75 }]));
    await ledger.run();
    for (const at of [0, 1]) await ledger.review(`${at}.I1~${at}.B1`, 'confirm');
    await ledger.send('left', rowsOfCases([{ I2: 75 }, {}]));
    await ledger.send('right', rowsOfCases([{}, { B2: 75 }]));
    await ledger.run();
    const { pairs } = await ledger.state();
    expect(pairs.filter((pair) => pair.includes(' MATCH'))).toEqual([
      '0.I1~0.B1 MATCH confirmed',
      '1.I1~1.B1 MATCH confirmed',
    ]);
    expect([await ledger.reasons('left'), await ledger.reasons('right')]).toEqual([
      { '0.I2': 'held' },
      { '1.B2': 'held' },
    ]);
  });

  test('as a pair holds its records against groups, also with skipAlreadyMatched false', async () => {
    const rules = { ...groupRules, direction: 'both', dateStrategy: 'none' };
    const ledger = await openLedger(api, { ...amountRules, composition: rules });
    await ledger.send('left', { I1: 75 });
    await ledger.send('right', { B1: 75 });
    await ledger.run();
    await ledger.review('I1~B1', 'confirm');
    await ledger.send('left', { I2: 25, I3: 30, I4: 45 });
    await ledger.send('right', { PAY: 100, B3: 50, B4: 25.5 });
    for (const composition of [rules, { ...rules, skipAlreadyMatched: false }]) {
      await ledger.patch({ params: { ...amountRules, composition } });
      await ledger.run();
      expect({ composition, groups: (await ledger.state()).groups }).toEqual({
        composition,
        groups: ['PAY=I2+I3+I4 MATCH'],
      });
    }
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

  test('meets records that fit its rest, its whole amount, a part of the rest, or nothing', async () => {
    const held = 'I1=T1 POSSIBLE confirmed';
    const cases = [
      { arriving: { T2: 250, T3: 350 }, groups: [held, 'I1=T2+T3 MATCH'], reasons: {} },
      { arriving: { T9: 900 }, groups: [held], reasons: { T9: 'held' } },
      { arriving: { T2: 200 }, groups: [held, 'I1=T2 POSSIBLE'], reasons: { T2: 'possible_only' } },
      { arriving: { T2: 700 }, groups: [held], reasons: { T2: 'no_candidate' } },
    ];
    const ledger = await openLedger(api, installments);
    await ledger.send('left', rowsOfCases(cases.map(() => ({ I1: 900 }))));
    await ledger.send('right', rowsOfCases(cases.map(() => ({ T1: 300 }))));
    await ledger.run();
    for (const at of cases.keys()) await ledger.review(`${at}.I1=${at}.T1`, 'confirm');
    await ledger.send('right', rowsOfCases(cases.map(({ arriving }) => arriving)));
    await ledger.run();
    const { pairs, groups } = await ledger.state();
    const reasons = await ledger.reasons('right');
    expect(pairs).toEqual([]);
    expect(
      cases.map(({ arriving }, at) => ({ arriving, groups: ofCase(at, groups), reasons: ofCase(at, reasons) })),
    ).toEqual(cases);
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
  test('of a pair holds after changes that change no rule', async () => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', { I1: 75, I2: 20 });
    await ledger.send('right', { B1: 75, B2: 20 });
    await ledger.run();
    await ledger.review('I1~B1', 'reject');
    const [matcher] = amountRules.matchers;
    for (const change of [
      rename,
      { logicJson: { note: 'x' } },
      // A default that is spelt out, keys in another order, white space, and the name of a matcher.
      { params: { ...amountRules, composition: { enabled: false } } },
      { params: Object.fromEntries(Object.entries(amountRules).reverse()) },
      { params: { ...amountRules, matchers: [{ ...matcher, expr: 'left.amount=right.amount /* x */' }] } },
      { params: { ...amountRules, matchers: [{ ...matcher, name: 'A' }] } },
    ]) {
      await ledger.patch({ params: amountRules, ...change });
      await ledger.run();
      const results = { change, pairs: (await ledger.state()).pairs, left: await ledger.reasons('left') };
      const pairs = ['I1~B1 MATCH rejected', 'I2~B2 MATCH'];
      expect(results).toEqual({ change, pairs, left: { I1: 'rejected' } });
      expect(await ledger.reasons('right')).toEqual({ B1: 'rejected' });
    }
  });

  test('of a pair ends with another threshold, expression or blocking, and holds again with the old one', async () => {
    const ledger = await openLedger(api, amountRules);
    await ledger.send('left', { I1: 75 });
    await ledger.send('right', { B1: 75 });
    await ledger.run();
    await ledger.review('I1~B1', 'reject');
    const matches = async (params: object): Promise<object> => {
      await ledger.patch({ params });
      return { params, counts: (await ledger.run()).decision_counts };
    };
    for (const change of [
      { Tpossible: 0.4 },
      { matchers: [{ expr: 'right.amount = left.amount' }] },
      { blocking: { ...amountRules.blocking, dateToleranceDays: 21 } },
    ]) {
      const params = { ...amountRules, ...change };
      expect(await matches(params)).toMatchObject({ params, counts: { MATCH: 1 } });
      expect(await matches(amountRules)).toMatchObject({ counts: { MATCH: 0, NO_MATCH: 1 } });
    }
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
