import { createCipher, createKnownKeys, createOutboundClient, newId, type Db, type KnownKeys } from '@tieout/infra';
import {
  createTestService,
  startHttpsReceiver,
  testSecretsKey,
  type HttpsReceiver,
  type TestService,
} from '@tieout/testing';
import { deliverEvents, emitEvent, wakeDeliveries, subscribedWebhooks, type EventType } from '../src/events';
import { tenantScope, type TenantScope } from '../src/kernel/scope';
import { claimAttempts } from '../src/webhooks/claim';
import { createDeliverer, type Deliverer } from '../src/webhooks/deliverer';
import { getDelivery, listDeliveries, type DeliveryDetail } from '../src/webhooks/deliveries';
import { defaultDeliveryPolicy, type DeliveryPolicy } from '../src/webhooks/retry-schedule';
import { secretPurpose } from '../src/webhooks/secrets';
import { createInterruptionGuard, sweepDeliveries } from '../src/webhooks/sweep';
import { createWebhook, deleteWebhook, updateWebhook, type WebhookMeans } from '../src/webhooks/webhooks';

/** A tenant with one webhook, whose receiver has its own path. */
export interface Subscriber {
  scope: TenantScope;
  webhookId: string;
  path: string;
  secret: string;
  signingSecret: string;
  emit(type?: EventType): Promise<void>;
  emitMany(count: number): Promise<void>;
  /** Emits events in one statement. */
  insertMany(count: number): Promise<void>;
  deliveries(): Promise<DeliveryDetail[]>;
  /** Adds a webhook to the tenant. */
  addWebhook(path: string): Promise<void>;
  update(secret: string): Promise<void>;
  remove(): Promise<void>;
}

/** Delivers to a real receiver by a clock that tests move. */
export interface DeliveryBench {
  service: TestService;
  receiver: HttpsReceiver;
  deliverer: Deliverer;
  /** The deliverer of another process. */
  newDeliverer(changes?: Partial<DeliveryPolicy>, db?: Db, secretsKey?: string): Deliverer;
  newSubscriber(options?: { events?: EventType[]; path?: string; secret?: string }): Promise<Subscriber>;
  advance(ms: number): void;
  now(): Date;
  /** Sweeps, and delivers what is due of every tenant, until all results are written. */
  run(): Promise<void>;
  sweep(secretsKey?: string): Promise<void>;
  /** Creates the sweep of a process that starts now and sweeps only by this function. */
  newSweeper(): () => Promise<void>;
  /** Claims what is due and does nothing with it, like a killed process. */
  claim(of: Subscriber): Promise<void>;
  close(): Promise<void>;
}

/** The bench of a test file, set up before its first test. */
export interface UsedDeliveryBench extends DeliveryBench {
  /** Subscriber of the current test. */
  subscriber: Subscriber;
  /** Requests that a subscriber has received; by default that of the test. */
  received(of?: Subscriber): ReturnType<HttpsReceiver['requests']>;
  /** The only delivery, or the newest. */
  only(of?: Subscriber): Promise<DeliveryDetail>;
}

/** Sets up a bench for a test file, with a new subscriber for each test. */
export function useDeliveryBench(policy: Partial<DeliveryPolicy> = {}): UsedDeliveryBench {
  const bench = {
    received: (of = bench.subscriber) => bench.receiver.requests(of.path),
    only: async (of = bench.subscriber) => (await of.deliveries())[0] as DeliveryDetail,
  } as UsedDeliveryBench;
  beforeAll(async () => void Object.assign(bench, await startDeliveryBench(policy)));
  afterAll(() => bench.close());
  beforeEach(async () => {
    bench.subscriber = await bench.newSubscriber();
  });
  return bench;
}

export const outcomesOf = ({ attemptLog }: DeliveryDetail): string[] => attemptLog.map(({ outcome }) => outcome);

async function startDeliveryBench(policy: Partial<DeliveryPolicy>): Promise<DeliveryBench> {
  const service = await createTestService();
  const receiver = await startHttpsReceiver();
  const outbound = createOutboundClient(receiver.policy, { resolve: receiver.resolve });
  const cipher = createCipher(testSecretsKey);
  const { deps } = service;
  const all = { ...defaultDeliveryPolicy, ...policy };
  const startedMs = Date.now();
  let advancedMs = 0;
  const clock = (): Date => new Date(startedMs + advancedMs + 60_000);
  const newDeliverer = (
    changes: Partial<DeliveryPolicy> = {},
    db = deps.db,
    secretsKey = testSecretsKey,
  ): Deliverer => {
    const own = createCipher(secretsKey);
    const wake = (tenantId: string): Promise<void> =>
      wakeDeliveries({ tenantId, db: deps.db.system, queue: deps.queue, keyIds: own.keyIds });
    return createDeliverer({
      db,
      outbound,
      cipher: own,
      policy: { ...all, ...changes },
      logger: deps.logger,
      wake,
      clock,
    });
  };
  const deliverer = newDeliverer();
  const tenants: string[] = [];
  const means = (url: string): WebhookMeans => ({ cipher, verdict: outbound.checkUrl(url) });

  const newSubscriber: DeliveryBench['newSubscriber'] = async ({ events, path, secret = 'the secret' } = {}) => {
    const tenantId = newId();
    tenants.push(tenantId);
    await deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
    const scope = tenantScope(deps, tenantId);
    const at = path ?? `/${tenantId}`;
    const input = { url: receiver.url(at), secret, ...(events ? { events } : {}) };
    const { webhook, signingSecret } = await createWebhook(scope, input, means(input.url));
    const webhookId = webhook.id;
    return {
      scope,
      webhookId,
      path: at,
      secret,
      signingSecret,
      emit: async (type = 'ITEM_UPDATED') =>
        void (await emitEvent(scope.db, tenantId, { type, data: { itemId: newId() } })),
      emitMany: async (count) => {
        for (let i = 0; i < count; i++)
          await emitEvent(scope.db, tenantId, { type: 'ITEM_UPDATED', data: { itemId: newId() } });
      },
      insertMany: async (count) => {
        await scope.db.execute(
          `insert into events (id, tenant_id, type, occurred_at, body)
           select gen_random_uuid(), $1::uuid, 'ITEM_UPDATED', now(), '{}' from generate_series(1, $2::int)`,
          [tenantId, count],
        );
        const events = await scope.db.query<{ id: string }>(
          `select id::text as id from events where tenant_id = $1::uuid`,
          [tenantId],
        );
        await deliverEvents(
          scope.db,
          tenantId,
          events.map(({ id }) => id),
          await subscribedWebhooks(scope.db, tenantId, 'ITEM_UPDATED'),
        );
      },
      deliveries: async () => {
        const { items } = await listDeliveries(scope, webhookId, {}, { page: 1, limit: 100 });
        return Promise.all(items.map(({ id }) => getDelivery(scope, webhookId, id)));
      },
      addWebhook: async (path) =>
        void (await createWebhook(scope, { ...input, url: receiver.url(path) }, means(receiver.url(path)))),
      update: async (next) =>
        void (await updateWebhook(scope, webhookId, { ...input, secret: next }, means(input.url))),
      remove: () => deleteWebhook(scope, webhookId),
    };
  };
  const keysOf = (secretsKey = testSecretsKey): KnownKeys =>
    createKnownKeys(createCipher(secretsKey), secretPurpose, deps.logger);
  const sweep = (secretsKey?: string): Promise<void> =>
    sweepDeliveries(deps, { policy: all, keys: keysOf(secretsKey), at: clock() });
  const newSweeper: DeliveryBench['newSweeper'] = () => {
    const mayInterrupt = createInterruptionGuard(() => clock().getTime());
    return () => sweepDeliveries(deps, { policy: all, keys: keysOf(), at: clock(), mayInterrupt });
  };
  const sending = async (): Promise<boolean> =>
    (
      await deps.db.system.query(
        `select 1 from webhook_deliveries where status = 'sending' and lease_until > $1::timestamptz limit 1`,
        [clock()],
      )
    ).length > 0;

  return {
    service,
    receiver,
    deliverer,
    newDeliverer,
    newSubscriber,
    sweep,
    newSweeper,
    claim: async ({ scope }) =>
      void (await claimAttempts(deps.db.prepared, scope.tenantId, {
        policy: all,
        keyIds: cipher.keyIds,
        finished: [],
        at: clock(),
      })),
    now: clock,
    advance: (ms) => {
      advancedMs += ms;
    },
    run: async () => {
      await sweep();
      await Promise.all(tenants.map((tenantId) => deliverer.deliverDue(tenantId)));
      while (await sending());
    },
    close: async () => {
      await deliverer.close();
      await outbound.close();
      await service.close();
      await receiver.stop();
    },
  };
}
