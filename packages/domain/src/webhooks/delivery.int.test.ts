import { behaviours } from '@tieout/testing';
import { deliverEvents, emitEvent, subscribedWebhooks } from '../events';
import { listDeliveries, retryDelivery } from './deliveries';
import { deleteOldDeliveries } from './retention';
import { sign } from './signature';
import { outcomesOf, useDeliveryBench } from '../../testing/delivery-bench';

const { answer, hang, redirect, reset, sequence } = behaviours;
const minuteMs = 60_000;

const bench = useDeliveryBench({ firstTimeoutMs: 1_500, retryTimeoutMs: 3_000 });

describe('an attempt', () => {
  test.each([200, 201, 204, 299])('that is answered with %i delivers, with one request', async (status) => {
    bench.receiver.on(bench.subscriber.path, answer(status));
    await bench.subscriber.emit();
    await bench.run();
    bench.advance(24 * 60 * minuteMs);
    await bench.run();
    expect([bench.received().length, (await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
      1,
      'delivered',
      ['delivered'],
    ]);
  });

  test('carries the headers and the body of the interface, signed', async () => {
    await bench.subscriber.emit();
    await bench.run();
    const [request] = bench.received();
    const { headers, body } = request as NonNullable<typeof request>;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: bench.subscriber.secret,
      'user-agent': 'Tieout-Webhook/1.0',
    });
    expect(request?.method).toBe('POST');
    const parsed = JSON.parse(body.toString()) as { event: string; data: { eventId: string; occurredAt: string } };
    expect(Object.keys(parsed)).toEqual(['event', 'data']);
    expect(parsed).toMatchObject({
      event: 'ITEM_UPDATED',
      data: { eventId: headers['webhook-id'], occurredAt: expect.any(String) as string },
    });
    expect(headers['webhook-signature']).toBe(
      sign([bench.subscriber.signingSecret], {
        id: String(headers['webhook-id']),
        timestamp: Number(headers['webhook-timestamp']),
        body,
      }),
    );
  });

  test.each([400, 401, 404, 410, 429, 500, 503])(
    'that is answered with %i is followed by one 5 minutes later, whatever Retry-After says',
    async (status) => {
      bench.receiver.on(bench.subscriber.path, answer(status, 'no', { 'retry-after': '7200' }));
      await bench.subscriber.emit();
      await bench.run();
      expect(await bench.only()).toMatchObject({
        status: 'retry_scheduled',
        attemptLog: [{ outcome: 'http_status', responseStatus: status, retryAfter: '7200' }],
      });
      bench.advance(5 * minuteMs - 1);
      await bench.run();
      expect(bench.received().length).toBe(1);
      bench.advance(1);
      await bench.run();
      expect(bench.received().length).toBe(2);
    },
  );

  test.each<[string, behaviours.Behaviour, string]>([
    ['is redirected', redirect(308, 'https://other.receiver.test/'), 'redirect'],
    ['is never answered', hang(), 'timeout'],
    // It breaks off after the first byte: before it, a connection reused from another test would count as stale.
    ['ends with a closed connection', behaviours.rawAnswer('HTTP/1.1 20'), 'connection_reset'],
    ['is answered with no HTTP', behaviours.rawAnswer('hello\r\n\r\n'), 'protocol_error'],
  ])('that %s is tried again', async (_what, behaviour, outcome) => {
    bench.receiver.on(bench.subscriber.path, behaviour);
    await bench.subscriber.emit();
    await bench.run();
    bench.receiver.on(bench.subscriber.path, answer());
    bench.advance(5 * minuteMs);
    await bench.run();
    expect([(await bench.only()).status, outcomesOf(await bench.only())]).toEqual([
      'delivered',
      [outcome, 'delivered'],
    ]);
  });

  test('over a reused connection that is closed is repeated at once over a new one, then by the schedule', async () => {
    bench.receiver.on(bench.subscriber.path, sequence(answer(), reset(), reset(), answer()));
    await bench.subscriber.emit();
    await bench.run();
    await bench.subscriber.emit();
    const attempts: string[][] = [];
    for (const minutes of [0, 0, 29, 1]) {
      bench.advance(minutes * minuteMs);
      await bench.run();
      attempts.push(outcomesOf(await bench.only()));
    }
    const resets = ['connection_reset', 'connection_reset'];
    expect(attempts.slice(1)).toEqual([resets, resets, [...resets, 'delivered']]);
    const [kept, stale, own] = bench.received().map(({ connection }) => connection);
    expect([stale === kept, own === kept]).toEqual([true, false]);
  });

  test('has one time limit when it is the first, and another one when it is a retry', async () => {
    bench.receiver.on(bench.subscriber.path, hang());
    await bench.subscriber.emit();
    await bench.run();
    bench.advance(5 * minuteMs);
    await bench.run();
    expect((await bench.only()).attemptLog.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['timeout', 'No answer within 1.5 s'],
      ['timeout', 'No answer within 3 s'],
    ]);
  });

  test('whose answer holds NUL characters is logged like any other', async () => {
    bench.receiver.on(bench.subscriber.path, answer(500, 'a\0b'));
    await bench.subscriber.emit();
    await bench.run();
    expect((await bench.only()).attemptLog).toMatchObject([{ outcome: 'http_status', responseStatus: 500 }]);
  });
});

describe('the schedule', () => {
  test('makes six attempts at its times, then abandons the delivery', async () => {
    bench.receiver.on(bench.subscriber.path, answer(500));
    await bench.subscriber.emit();
    const requestsAt: number[] = [];
    for (const minutes of [0, 5, 30, 60, 180, 480, 720, 1440]) {
      bench.advance(minutes * minuteMs);
      await bench.run();
      requestsAt.push(bench.received().length);
    }
    expect(requestsAt).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    expect(await bench.only()).toMatchObject({ status: 'abandoned', attempts: 6, nextAttemptAt: null });
  });

  test('sends the same bytes under the same id every time, and ends with success', async () => {
    bench.receiver.on(
      bench.subscriber.path,
      sequence(answer(500), answer(500), answer(500), answer(500), answer(500), answer(200)),
    );
    await bench.subscriber.emit();
    for (const minutes of [0, 5, 30, 60, 180, 480]) {
      bench.advance(minutes * minuteMs);
      await bench.run();
    }
    expect(bench.received().length).toBe(6);
    expect(
      new Set(bench.received().map(({ body, headers }) => `${String(headers['webhook-id'])} ${body.toString('hex')}`))
        .size,
    ).toBe(1);
    expect((await bench.only()).status).toBe('delivered');
  });

  test('a clock that steps back brings no attempt early and loses none', async () => {
    bench.receiver.on(bench.subscriber.path, sequence(answer(500), answer()));
    await bench.subscriber.emit();
    await bench.run();
    bench.advance(-60 * minuteMs);
    await bench.run();
    expect(bench.received().length).toBe(1);
    bench.advance(65 * minuteMs);
    await bench.run();
    expect((await bench.only()).status).toBe('delivered');
  });

  test('continues as before after manual attempts that fail', async () => {
    bench.receiver.on(bench.subscriber.path, answer(500));
    await bench.subscriber.emit();
    await bench.run();
    const { id, nextAttemptAt } = await bench.only();
    await retryDelivery(bench.subscriber.scope, bench.subscriber.webhookId, id);
    await retryDelivery(bench.subscriber.scope, bench.subscriber.webhookId, id);
    await bench.run();
    expect(await bench.only()).toMatchObject({ status: 'retry_scheduled', attempts: 2, nextAttemptAt });
    for (const minutes of [5, 30, 60, 180, 480, 720]) {
      bench.advance(minutes * minuteMs);
      await bench.run();
    }
    expect(await bench.only()).toMatchObject({ status: 'abandoned', attempts: 7 });
  });
});

describe('what an attempt goes by', () => {
  test('a new secret replaces the old one from the next attempt on', async () => {
    bench.receiver.on(bench.subscriber.path, answer(500));
    await bench.subscriber.emit();
    await bench.run();
    await bench.subscriber.update('the new one');
    bench.advance(5 * minuteMs);
    await bench.run();
    expect(bench.received().map(({ headers }) => headers.authorization)).toEqual(['the secret', 'the new one']);
  });

  test('a webhook that is deleted between attempts gets no more, and its delivery is cancelled', async () => {
    bench.receiver.on(bench.subscriber.path, answer(500));
    await bench.subscriber.emit();
    await bench.run();
    await bench.subscriber.remove();
    bench.advance(5 * minuteMs);
    await bench.run();
    expect([bench.received().length, (await bench.only()).status]).toEqual([1, 'cancelled']);
  });

  test('a webhook that is deleted during an attempt gets no other one', async () => {
    bench.receiver.on(bench.subscriber.path, hang());
    await bench.subscriber.emit();
    const delivering = bench.deliverer.deliverDue(bench.subscriber.scope.tenantId);
    await bench.receiver.received(1, bench.subscriber.path);
    await bench.subscriber.remove();
    await delivering;
    await bench.run();
    await bench.sweep();
    expect([bench.received().length, (await bench.only()).status]).toEqual([1, 'cancelled']);
  });

  test.each([
    ['delivered', 200],
    ['abandoned', 500],
  ])(
    'a delivery that is %s, and waits for a manual attempt when its webhook is deleted, keeps its status',
    async (status, answered) => {
      bench.receiver.on(bench.subscriber.path, answer(answered));
      await bench.subscriber.emit();
      for (const minutes of [0, 5, 30, 60, 180, 480]) {
        bench.advance(minutes * minuteMs);
        await bench.run();
      }
      await retryDelivery(bench.subscriber.scope, bench.subscriber.webhookId, (await bench.only()).id);
      await bench.subscriber.remove();
      expect(await bench.only()).toMatchObject({ status, nextAttemptAt: null });
    },
  );

  test('a deletion cancels some thousands of deliveries and leaves the rest to sweeps', async () => {
    await bench.subscriber.insertMany(5_001);
    const waiting = async (): Promise<number> =>
      (
        await listDeliveries(
          bench.subscriber.scope,
          bench.subscriber.webhookId,
          { status: 'pending' },
          { page: 1, limit: 1 },
        )
      ).total;
    await bench.subscriber.remove();
    const left = await waiting();
    await bench.sweep();
    expect([left, await waiting()]).toEqual([1, 0]);
  });

  test('tenants with the same url each send their own secret', async () => {
    const path = '/shared';
    const both = [
      await bench.newSubscriber({ path, secret: 'of one' }),
      await bench.newSubscriber({ path, secret: 'of two' }),
    ];
    for (const one of both) await one.emit();
    await bench.run();
    expect(
      bench.receiver
        .requests(path)
        .map(({ headers }) => headers.authorization)
        .sort(),
    ).toEqual(['of one', 'of two']);
  });
});

describe('events', () => {
  test('reach the webhooks that subscribe to them, and are not stored without one', async () => {
    const choosy = await bench.newSubscriber({ events: ['MATCHING_JOB_FAILED', 'ITEM_ERROR'] });
    for (const type of ['ITEM_ERROR', 'ITEM_CREATED', 'MATCHING_JOB_FAILED'] as const) await choosy.emit(type);
    expect((await choosy.deliveries()).map(({ event }) => event)).toEqual(['MATCHING_JOB_FAILED', 'ITEM_ERROR']);
    expect(await choosy.scope.db.orm.event.count()).toBe(2);
  });

  test('of a transaction that is rolled back are never sent', async () => {
    const failed = bench.subscriber.scope.transaction(async ({ db, tenantId }) => {
      await emitEvent(db, tenantId, { type: 'ITEM_CREATED', data: {} });
      throw new Error('the change fails');
    });
    await expect(failed).rejects.toThrow('the change fails');
    await bench.run();
    expect([bench.received(), await bench.subscriber.deliveries()]).toEqual([[], []]);
  });

  test('from before a webhook was registered are not sent to it', async () => {
    await bench.subscriber.emit();
    const late = await bench.newSubscriber();
    await bench.run();
    expect([bench.received().length, bench.received(late).length]).toEqual([1, 0]);
  });
});

test('a webhook that is registered while a transaction makes deliveries in steps gets none of its events', async () => {
  const { tenantId, db } = bench.subscriber.scope;
  await bench.subscriber.insertMany(2);
  const ids = (
    await db.query<{ id: string }>(`select id::text as id from events where tenant_id = $1::uuid`, [tenantId])
  ).map(({ id }) => id);
  await bench.subscriber.scope.transaction(async ({ db: tx }) => {
    const webhookIds = await subscribedWebhooks(tx, tenantId, 'COMPOSITE_MATCH_CREATED');
    await deliverEvents(tx, tenantId, ids.slice(0, 1), webhookIds);
    await bench.subscriber.addWebhook('/meanwhile');
    await deliverEvents(tx, tenantId, ids.slice(1), webhookIds);
  });
  const webhooks = await db.query<{ id: string; deliveries: number }>(
    `select w.id::text as id, (select count(*)::int from webhook_deliveries d
                                where d.tenant_id = w.tenant_id and d.webhook_id = w.id) as deliveries
       from webhooks w where w.tenant_id = $1::uuid`,
    [tenantId],
  );
  expect(new Map(webhooks.map(({ id, deliveries }) => [id === bench.subscriber.webhookId, deliveries]))).toEqual(
    new Map([
      [true, 4],
      [false, 0],
    ]),
  );
});

test('an attempt whose log cannot be written is not repeated for ever', async () => {
  const { system } = bench.service.deps.db;
  await system.execute(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no log today'; end $$`,
  );
  await system.execute(
    `create trigger refuse before insert on webhook_attempts for each row execute function refuse()`,
  );
  try {
    await bench.subscriber.emit();
    await bench.run();
    await bench.run();
  } finally {
    await system.execute(`drop trigger refuse on webhook_attempts`);
  }
  expect([bench.received().length, (await bench.only()).status]).toEqual([1, 'delivered']);
});

test('at most 5 attempts of an endpoint and 20 of a tenant are in flight, endpoints with fewer first', async () => {
  const paths = [bench.subscriber.path, ...Array.from({ length: 5 }, (_, i) => `${bench.subscriber.path}/${i}`)];
  for (const path of paths.slice(1)) await bench.subscriber.addWebhook(path);
  const answerMs = 30;
  let inFlight = 0;
  let maxInFlight = 0;
  for (const path of paths) {
    bench.receiver.on(path, (exchange) => {
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      setTimeout(() => {
        inFlight--;
        answer()(exchange);
      }, answerMs);
    });
  }
  await bench.subscriber.emitMany(30);
  await bench.deliverer.deliverDue(bench.subscriber.scope.tenantId);
  await bench.run();
  const first20 = bench.receiver
    .requests()
    .filter(({ path }) => paths.includes(path))
    .slice(0, 20);
  const counts = paths.map((path) => first20.filter((request) => request.path === path).length);
  expect(maxInFlight).toBeLessThanOrEqual(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(5);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});

test('deliveries that ended more than 30 days ago are deleted; others stay, with their events', async () => {
  const { system } = bench.service.deps.db;
  await bench.subscriber.emitMany(2);
  await bench.run();
  bench.receiver.on(bench.subscriber.path, answer(500));
  await bench.subscriber.emit();
  await bench.run();
  await deleteOldDeliveries(system, 30);
  expect([(await bench.subscriber.deliveries()).length, await bench.subscriber.scope.db.orm.event.count()]).toEqual([
    3, 3,
  ]);
  const old = (column: string): string => `${column} = ('018b' || substr(${column}::text, 5))::uuid`;
  await system.execute(`update events set ${old('id')} where tenant_id = $1::uuid`, [bench.subscriber.scope.tenantId]);
  await system.execute(`update webhook_attempts set ${old('delivery_id')} where tenant_id = $1::uuid`, [
    bench.subscriber.scope.tenantId,
  ]);
  await system.execute(
    `update webhook_deliveries set ${old('id')}, ${old('event_id')}, attempted_at = now() - interval '31 days'
      where tenant_id = $1::uuid`,
    [bench.subscriber.scope.tenantId],
  );
  await deleteOldDeliveries(system, 30);
  const { event, webhookAttempt } = bench.subscriber.scope.db.orm;
  expect([
    (await bench.subscriber.deliveries()).map(({ status }) => status),
    await event.count(),
    await webhookAttempt.count(),
  ]).toEqual([['retry_scheduled'], 1, 1]);
});
