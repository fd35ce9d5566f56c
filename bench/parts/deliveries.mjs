import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { requireFrom } from '../../tools/paths.mjs';
import { startTestRedis } from '../../tools/redis.mjs';
import { startChild } from '../child.mjs';
import { duration, whole } from '../report.mjs';

const receiverHeapMb = 512;
const minPerSecond = 500;
const slowestP95Ms = 1_000;
const pollMs = 50;
const perSecond = (rate) => `${whole(rate)}/s`;

/** (h) Webhooks to an HTTPS receiver on this machine, which takes its share of the processor. */
export async function benchDeliveries(context) {
  const { report, cleanup, directory, quick } = context;
  const service = await context.service();
  const child = startChild('receiver', { heapMb: receiverHeapMb });
  cleanup.add(() => child.stop());
  const receiver = await child.call('start');
  const caFile = path.join(directory, 'receiver.pem');
  fs.writeFileSync(caFile, receiver.ca);
  const settings = {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
    WEBHOOK_ALLOWED_PORTS: String(receiver.port),
    WEBHOOK_EXTRA_CA_FILE: caFile,
  };
  const redis = quick ? null : await startTestRedis();
  if (redis) cleanup.add(() => redis.stop());
  const queues = [['PostgreSQL', {}], ...(redis ? [['Redis', { QUEUE_URL: redis.url }]] : [])];
  const count = quick ? 2_000 : 20_000;

  report.section('(h) Webhooks: deliveries to a fast receiver, and beside a dead one');
  for (const [name, queue] of queues) {
    report.announce(`(h) queue in ${name}`);
    await service.restart('webhook-worker', { ...settings, ...queue });
    await service.restart('api', { ...settings, ...queue });
    const bench = deliveryBench(service, receiver);
    await bench.rate(1, 1_000);
    const goal = { atLeast: minPerSecond, show: perSecond };
    report.compare({
      what: `${name}: one endpoint, ${whole(count)} events`,
      measured: await bench.rate(1, count),
      ...goal,
    });
    report.compare({ what: `${name}: ten endpoints`, measured: await bench.rate(10, count / 10), ...goal });
    const backlog = quick ? 20_000 : 1_000_000;
    const dropBacklog = await bench.backlog(backlog);
    report.compare({
      what: `${name}: behind ${whole(backlog)} that wait elsewhere in the tenant`,
      measured: await bench.rate(1, count),
      ...goal,
    });
    await dropBacklog();
    const p95Ms = await bench.besideDeadReceiver(child);
    report.compare({
      what: `${name}: p95 beside a tenant with 2,000 events for a dead receiver`,
      measured: p95Ms / 1000,
      show: duration,
      atMost: slowestP95Ms / 1000,
    });
  }
  if (!redis)
    report.note(
      quick
        ? 'The queue in Redis is measured without --quick.'
        : 'No redis-server found: the queue in Redis is not measured.',
    );
  report.finish();
  await child.stop();
  await service.restart('webhook-worker');
  await service.restart('api');
}

function deliveryBench({ database, tenantId, client, newTenant }, receiver) {
  const { newId } = requireFrom('packages/domain')('@tieout/infra');
  const webhook = async (at, as = client) =>
    (
      await as.post('/v1/webhooks', {
        url: `${receiver.url}${at}`,
        secret: 'secret of the bench',
        events: ['ITEM_UPDATED'],
      })
    ).data.id;
  const remove = (ids) => Promise.all(ids.map((id) => client.delete(`/v1/webhooks/${id}`)));

  /** Events and deliveries as the outbox writes them. */
  const insert = (tenant, webhookIds, count) =>
    database.query(
      `with made as (
         insert into events (id, tenant_id, type, occurred_at, body)
         select (left($1, 19) || substr(gen_random_uuid()::text, 20))::uuid, $2, 'ITEM_UPDATED', now(),
                json_build_object('event', 'ITEM_UPDATED', 'data',
                  json_build_object('eventId', i, 'itemId', gen_random_uuid(), 'status', 'UPDATED'))
           from generate_series(1, $4) i returning id)
       insert into webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, next_attempt_at)
       select (left($1, 19) || substr(gen_random_uuid()::text, 20))::uuid, $2, w, made.id, 'ITEM_UPDATED', now()
         from made, unnest($3::uuid[]) w`,
      [newId(), tenant, webhookIds, count],
    );
  const delivered = async (webhookIds) =>
    (
      await database.query(
        `select count(*)::int as n from webhook_deliveries
          where tenant_id = $1 and webhook_id = any($2) and status = 'delivered'`,
        [tenantId, webhookIds],
      )
    ).rows[0].n;

  return {
    /** Deliveries a second, from when the rows are there. */
    async rate(endpoints, each) {
      const ids = await Promise.all(Array.from({ length: endpoints }, () => webhook('/fast')));
      await insert(tenantId, ids, each);
      const startedAt = performance.now();
      while ((await delivered(ids)) < endpoints * each) await wait(pollMs);
      const seconds = (performance.now() - startedAt) / 1000;
      await remove(ids);
      return (endpoints * each) / seconds;
    },
    /** Adds `count` due deliveries to a receiver that never answers. */
    async backlog(count) {
      const id = await webhook('/hang');
      await insert(tenantId, [id], count);
      await database.query('analyze webhook_deliveries');
      return () => remove([id]);
    },
    async besideDeadReceiver(child) {
      const other = await newTenant('Beside');
      const [dead, healthy] = [await webhook('/hang'), await webhook('/timed', other.client)];
      await insert(tenantId, [dead], 2_000);
      await wait(2_000);
      const sent = [];
      for (let i = 0; i < 100; i++) {
        const { data } = await other.client.post(`/v1/webhooks/${healthy}/test`);
        sent.push({ eventId: data.eventId, atMs: performance.timeOrigin + performance.now() });
        await wait(20);
      }
      await wait(slowestP95Ms);
      const arrivals = await child.call('arrivals');
      await remove([dead]);
      const tookMs = sent
        .map(({ eventId, atMs }) => Math.max(0, (arrivals.get(eventId) ?? Infinity) - atMs))
        .sort((a, b) => a - b);
      return tookMs[Math.ceil(0.95 * tookMs.length) - 1];
    },
  };
}
