import fc from 'fast-check';
import { createMaintenanceHandlers, createMatchingHandlers } from '@tieout/domain';
import {
  addRecords,
  allOf,
  allPages,
  expectExact,
  openBooks,
  alone,
  startTestApi,
  usageOf,
  whileLocked,
  type Books,
  type JobBody,
  type RuleSetBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;
/** No worker runs here until a test asks for it: tests do the work of workers themselves. */
let idle: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  idle = await startTestApi(alone);
});

afterEach(() => idle.stopMatching());

afterAll(async () => {
  await api.close();
  await idle.close();
});

const scored = { jsonataExpr: 'left.n * right.n', params: { Tmatch: 0.8, Tpossible: 0.4 } };
const openCase = async (on = api): Promise<Books> => {
  const books = await openBooks(on, [{ n: 1 }, { n: 0.9 }, { n: 0.1 }], [{ n: 1 }, { n: 0.85 }]);
  await books.ruleSet(scored);
  return books;
};

const composing = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.4,
    assignment: 'one_to_one',
    blocking: { enabled: false },
    matchers: [{ expr: 'left.n * right.n' }],
    composition: { enabled: true, dateStrategy: 'none', direction: 'both', partial: { enabled: true } },
  },
};

/** Starts a job, compares its pairs, and returns a function that finishes it. */
async function comparedJob(books: Books): Promise<{ job: JobBody; finish: () => Promise<void> }> {
  const { tenantId } = books.tenant;
  const handlers = createMatchingHandlers(idle.service.deps);
  const job = await books.start();
  await handlers['matching.plan']({ tenantId, jobId: job.id });
  await handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.rule_sets[0]?.id as string, batchNo: 0 });
  return { job, finish: () => handlers['matching.finish']({ tenantId, jobId: job.id }) };
}

describe('live figures', () => {
  test('follow records that are deleted all at once, together with everything they shared', async () => {
    const books = await openCase();
    await books.reconcile();
    const ids = [...books.recordIds.values()];
    await Promise.all(ids.slice(1).map((id) => books.tenant.api.delete(`/v1/records/${id}`).expect(204)));
    expect(await usageOf(books.tenant)).toMatchObject({ records: { total: 1 }, matches: { total: 0, matchRate: 0 } });
  });

  test('leave out what is deleted between the look of a job at its matches and its completion', async () => {
    const books = await openCase(idle);
    const { finish } = await comparedJob(books);
    const counting = `select pg_advisory_xact_lock(hashtextextended('live figures ' || $1::text, 0))`;
    const [deletion, finishing] = await whileLocked(
      idle,
      books.tenant,
      counting,
      [books.tenant.tenantId],
      async (waiters) => {
        // The deletion queues ahead of the finish, which waits for it before it reads matches.
        const deleting = books.tenant.api
          .delete(`/v1/records/${books.recordIds.get('l0')}`)
          .then(({ status }) => status);
        await waiters(1);
        const completing = finish();
        await waiters(2);
        return [deleting, completing];
      },
    );
    await finishing;
    expect([await deletion, (await usageOf(books.tenant)).recentJobs[0]?.status]).toEqual([204, 'completed']);
    await expectExact(books.tenant);
  });

  const rivals = async (): Promise<Books> => {
    const books = await openBooks(idle, [{ n: 1 }, { n: 1 }, { n: 0.9 }], [{ n: 1 }, { n: 1 }, { n: 0.5 }]);
    await books.ruleSet({ ...scored, params: { ...scored.params, assignment: 'one_to_one' } });
    return books;
  };
  const remove = (books: Books, name: string) =>
    books.tenant.api.delete(`/v1/records/${books.recordIds.get(name)}`).expect(204);

  test.each(['l0', 'r0 l1', 'l0 l1 l2'])(
    'leave out what is deleted before a job assigns its pairs one to one: %s',
    async (names) => {
      const books = await rivals();
      const { job, finish } = await comparedJob(books);
      for (const name of names.split(' ')) await remove(books, name);
      await finish();
      const { byDecision } = (await usageOf(books.tenant)).matches;
      const completed = await books.job(job.id);
      expect(completed).toMatchObject({ status: 'completed', decision_counts: { MATCH: byDecision['MATCH'] } });
      expect(Object.values(completed.decision_counts).reduce((sum, count) => sum + count, 0)).toBe(9);
      expect(await usageOf(books.tenant)).toMatchObject({ totalMatches: byDecision['MATCH'] });
      await expectExact(books.tenant);
    },
  );

  test.each([
    ['a rule set without assignment', (books: Books) => books.ruleSet(scored)],
    [
      'one to one',
      (books: Books) => books.ruleSet({ ...scored, params: { ...scored.params, assignment: 'one_to_one' } }),
    ],
    ['composition', (books: Books) => books.ruleSet(composing)],
  ])('leave out what batches find of records that were deleted after the plan: %s', async (_, addRuleSet) => {
    const books = await openBooks(
      idle,
      [{ n: 1, amount: 30 }, { n: 0.9, amount: 10 }, { amount: 5 }],
      [{ n: 1, amount: 10 }, { n: 0.85, amount: 20 }, { amount: 3 }, { amount: 2 }],
    );
    await addRuleSet(books);
    const job = await books.start();
    await createMatchingHandlers(idle.service.deps)['matching.plan']({
      tenantId: books.tenant.tenantId,
      jobId: job.id,
    });
    for (const name of ['l0', 'r1', 'r2']) await remove(books, name);
    await idle.runMatching();
    expect((await books.tenant.api.get(`/v1/matching-jobs/${job.id}`)).body).toMatchObject({ status: 'completed' });
    const gone = ['l0', 'r1', 'r2'].map((name) => books.recordIds.get(name));
    const found = [
      await allOf(books.tenant, '/v1/matches'),
      await allOf(books.tenant, '/v1/composite-matches'),
      (await books.tenant.api.get(`/v1/matching-jobs/${job.id}/unmatched?side=left`).expect(200)).text,
    ];
    expect(gone.filter((id) => JSON.stringify(found).includes(id as string))).toEqual([]);
    await expectExact(books.tenant);
    const {
      recentJobs,
      matches: { matchRate },
    } = await usageOf(books.tenant);
    expect(recentJobs).toMatchObject([{ matchRate }]);
  });

  test('leave out what batches find of a record whose removal was begun long before, and broken off', async () => {
    const books = await openCase(idle);
    const job = await books.start();
    const { tenantId } = books.tenant;
    await idle.service.deps.db.system.execute(
      `insert into removed_records (record_id, tenant_id, dataset_id, removed_at) select id, tenant_id,
       dataset_id, now() - interval '1 hour' from records where id = $1::uuid`,
      [books.recordIds.get('l0') as string],
    );
    await createMatchingHandlers(idle.service.deps)['matching.plan']({ tenantId, jobId: job.id });
    await remove(books, 'l0');
    await idle.runMatching();
    expect(JSON.stringify(await allOf(books.tenant, '/v1/matches'))).not.toContain(books.recordIds.get('l0'));
    await expectExact(books.tenant);
  });

  test.each(['l0', 'r0'])(
    'leave out a record that is deleted while a job completes that has put it into a group: %s',
    async (name) => {
      const books = await openBooks(
        idle,
        [{ amount: 30 }, { amount: 7 }],
        [{ amount: 10 }, { amount: 20 }, { amount: 9 }],
      );
      await books.ruleSet(composing);
      const counting = `select pg_advisory_xact_lock(hashtextextended('live figures ' || $1::text, 0))`;
      const [running, deletion] = await whileLocked(
        idle,
        books.tenant,
        counting,
        [books.tenant.tenantId],
        async (waiters) => {
          await books.start();
          const completing = idle.runMatching();
          await waiters(1);
          const deleting = books.tenant.api
            .delete(`/v1/records/${books.recordIds.get(name)}`)
            .then(({ status }) => status);
          await waiters(2);
          return [completing, deleting];
        },
      );
      await running;
      expect(await deletion).toBe(204);
      expect(await allOf(books.tenant, '/v1/composite-matches')).toEqual([]);
      await expectExact(books.tenant);
    },
  );

  test('count records that many writers add to one dataset at once, each once', async () => {
    const { api: tenant, ...rest } = await api.newTenant();
    await tenant.post('/v1/records', { body: {} }).expect(202);
    const bulk = (from: number) =>
      tenant
        .post(
          '/v1/records/bulk',
          Array.from({ length: 40 }, (_, i) => ({ externalId: `${from + i}`, body: {} })),
        )
        .expect(202);
    await Promise.all(
      [0, 20, 40, 60].flatMap((from) => [
        bulk(from),
        tenant.post('/v1/records', { externalId: 'one', body: {} }).expect(202),
      ]),
    );
    expect((await usageOf({ api: tenant, ...rest })).records).toMatchObject({ total: 102 });
  });

  test('lose a dataset with its records', async () => {
    const books = await openBooks(api, [{ n: 1 }], [{ n: 1 }]);
    await books.tenant.api.delete(`/v1/datasets/${books.leftId}`).expect(204);
    expect((await usageOf(books.tenant)).records).toEqual({
      total: 1,
      byDataset: [{ datasetId: books.rightId, name: 'right', count: 1 }],
    });
  });

  test('are those of the tenant alone', async () => {
    const books = await openCase();
    await books.reconcile();
    const other = await api.newTenant();
    expect(await usageOf(other)).toMatchObject({
      totalMatches: 0,
      records: { total: 0 },
      matches: { total: 0 },
      recentJobs: [],
      connectors: [],
    });
  });

  test('need a key with billing:read', async () => {
    const tenant = await api.newTenant();
    const status = async (scopes: readonly string[]): Promise<number> =>
      (await (await api.newKey(tenant, scopes)).api.get('/v1/billing/usage')).status;
    expect([await status(['matches:read']), await status(['billing:read'])]).toEqual([403, 200]);
  });

  type Action =
    | 'run'
    | 'run one'
    | 'confirm'
    | 'reject'
    | 'confirm composite'
    | 'reject composite'
    | 'delete left'
    | 'delete right'
    | 'add'
    | 'drop rule set'
    | 'move rule set'
    | 'two at once'
    | 'expire';
  const actions = fc.array(
    fc.record({
      action: fc.constantFrom<Action>(
        'run',
        'run',
        'run one',
        'confirm',
        'reject',
        'reject',
        'confirm composite',
        'reject composite',
        'delete left',
        'delete right',
        'add',
        'drop rule set',
        'move rule set',
        'two at once',
        'expire',
      ),
      pick: fc.nat(1_000),
    }),
    { minLength: 8, maxLength: 14 },
  );

  test('are those that the lists give, after whatever happened in whatever order', async () => {
    const runs = Number(process.env['BILLING_RUNS'] ?? 2);
    await fc.assert(
      fc.asyncProperty(actions, async (steps) => {
        const books = await openBooks(
          api,
          [{ n: 1, amount: 30 }, { n: 0.9, amount: 10 }, { n: 0.5, amount: 20 }, { amount: 5 }],
          [{ n: 1, amount: 10 }, { n: 0.85, amount: 20 }, { n: 0.6, amount: 30 }, { amount: 3 }],
        );
        const { tenant } = books;
        await books.ruleSet(scored);
        await books.ruleSet(composing);
        await books.reconcile();
        const pickOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % Math.max(items.length, 1)];
        const review = async (path: string, pick: number, action: string, statuses = [200, 409]): Promise<void> => {
          const found = pickOf(await allOf<{ id: string }>(tenant, `/v1/${path}`), pick);
          if (found)
            expect(statuses).toContain((await tenant.api.post(`/v1/${path}/${found.id}/review`, { action })).status);
        };
        const remove = async (dataset: string, pick: number, statuses = [204]): Promise<void> => {
          const found = pickOf(await allOf<{ id: string }>(tenant, `/v1/records?dataset=${dataset}`), pick);
          if (found) expect(statuses).toContain((await tenant.api.delete(`/v1/records/${found.id}`)).status);
        };
        const ruleSets = (): Promise<RuleSetBody[]> => allPages<RuleSetBody>(tenant, '/v1/rule-sets');
        const run = async (body: object): Promise<void> => {
          if ((await tenant.api.post('/v1/matching-jobs', body)).status === 202) await api.runMatching();
        };
        const act: Record<Action, (pick: number) => Promise<unknown>> = {
          run: () => run({ dataset: 'left' }),
          'run one': async (pick) => {
            const ruleSet = pickOf(await ruleSets(), pick);
            if (ruleSet) await run({ datasetId: ruleSet.left_dataset_id, ruleSetIds: [ruleSet.id] });
          },
          confirm: (pick) => review('matches', pick, 'confirm'),
          reject: (pick) => review('matches', pick, 'reject'),
          'confirm composite': (pick) => review('composite-matches', pick, 'confirm'),
          'reject composite': (pick) => review('composite-matches', pick, 'reject'),
          'delete left': (pick) => remove('left', pick),
          'delete right': (pick) => remove('right', pick),
          add: async () => {
            await addRecords(tenant, 'left', [
              { n: 0.95, amount: 10 },
              { n: 1, amount: 10 },
            ]);
            await api.runIngest();
          },
          'drop rule set': async (pick) => {
            const ruleSet = pickOf(await ruleSets(), pick);
            if (ruleSet && pick % 3 === 0) await tenant.api.delete(`/v1/rule-sets/${ruleSet.id}`).expect(204);
          },
          'move rule set': async (pick) => {
            const ruleSet = pickOf(await ruleSets(), pick);
            if (!ruleSet) return;
            await tenant.api
              .patch(`/v1/rule-sets/${ruleSet.id}`, {
                leftDatasetId: ruleSet.right_dataset_id,
                rightDatasetId: ruleSet.left_dataset_id,
              })
              .expect(200);
          },
          expire: () => createMaintenanceHandlers(api.service.deps, { keyIds: [] })['maintenance.retention'](),
          // The match may be deleted with its record before it is reviewed.
          'two at once': (pick) =>
            Promise.all([
              remove('left', pick),
              remove('right', pick),
              review('matches', pick, 'reject', [200, 404, 409]),
            ]),
        };
        for (const { action, pick } of steps) {
          await act[action](pick);
          await expectExact(tenant);
        }
      }),
      { numRuns: runs },
    );
  }, 600_000);
});
