import { AppError } from '@tieout/infra';
import { emitTestEvent, enqueueDeliveries } from '../events';
import { pageOf, type Page, type PageRequest } from '../kernel/paging';
import type { TenantScope } from '../kernel/scope';
import { deliveryStatuses, type DeliveryStatus, type AttemptOutcome, type AttemptTrigger } from './outcomes';
import { getWebhook, webhookNotFound } from './webhooks';

/** The delivery of one event to one webhook. */
export interface Delivery {
  id: string;
  event: string;
  eventId: string;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** An attempt, as the log of its delivery records it. */
export interface DeliveryAttempt {
  number: number;
  trigger: AttemptTrigger;
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  responseStatus: number | null;
  responseBody: string | null;
  bodyState: string | null;
  remoteAddress: string | null;
  retryAfter: string | null;
  error: string | null;
}

export interface DeliveryDetail extends Delivery {
  attemptLog: DeliveryAttempt[];
}

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: string | undefined;
}

const shown = {
  id: true,
  eventType: true,
  eventId: true,
  status: true,
  attempts: true,
  nextAttemptAt: true,
  createdAt: true,
} as const;

interface DeliveryRow {
  id: string;
  eventType: string;
  eventId: string;
  status: string;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

const toDelivery = ({ eventType, status, ...row }: DeliveryRow): Delivery => ({
  ...row,
  event: eventType,
  status: status as DeliveryStatus,
});

/** @throws AppError webhook_not_found; not for a deleted webhook: its deliveries stay readable */
async function assertWebhookKnown(scope: TenantScope, id: string): Promise<void> {
  if (!(await scope.db.orm.webhook.findFirst({ where: { id }, select: { id: true } }))) throw webhookNotFound();
}

const deliveryNotFound = (): AppError => new AppError('webhook_delivery_not_found', 'Delivery not found');

/**
 * Lists deliveries, newest first. Whatever the filter, only entries of the index are read that are counted or shown.
 * @throws AppError webhook_not_found
 */
export async function listDeliveries(
  scope: TenantScope,
  webhookId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  await assertWebhookKnown(scope, webhookId);
  const { db, tenantId } = scope;
  const statuses = filter.status === undefined ? deliveryStatuses : [filter.status];
  const eventCondition = filter.event === undefined ? '' : 'and d.event_type = $4';
  const parameters = [tenantId, webhookId, statuses, ...(filter.event === undefined ? [] : [filter.event])];
  const [counted] = await db.query<{ total: number }>(
    `select count(*)::int as total from webhook_deliveries d
      where d.tenant_id = $1::uuid and d.webhook_id = $2::uuid and d.status = any($3::text[]) ${eventCondition}`,
    parameters,
  );
  const skip = (page.page - 1) * page.limit;
  // The index is ordered by id within a status.
  const rows = await db.query<DeliveryRow>(
    `with newest as materialized (
       select n.id from unnest($3::text[]) as s (status), lateral (
         select d.id from webhook_deliveries d
          where d.tenant_id = $1::uuid and d.webhook_id = $2::uuid and d.status = s.status ${eventCondition}
          order by d.id desc limit ${skip + page.limit}) n
        order by n.id desc limit ${page.limit} offset ${skip})
     select d.id::text as id, d.event_type as "eventType", d.event_id::text as "eventId", d.status, d.attempts,
            d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt"
       from newest n, lateral (
         select * from webhook_deliveries d where d.tenant_id = $1::uuid and d.id = n.id limit 1) d
      order by d.id desc`,
    parameters,
  );
  return pageOf(rows.map(toDelivery), counted?.total ?? 0, page);
}

/** @throws AppError webhook_not_found, webhook_delivery_not_found */
export async function getDelivery(scope: TenantScope, webhookId: string, id: string): Promise<DeliveryDetail> {
  await assertWebhookKnown(scope, webhookId);
  const row = await scope.db.orm.webhookDelivery.findFirst({ where: { id, webhookId }, select: shown });
  if (!row) throw deliveryNotFound();
  const attempts = await scope.db.orm.webhookAttempt.findMany({
    where: { deliveryId: id },
    orderBy: { number: 'asc' },
  });
  const attemptLog = attempts.map(({ deliveryId: _delivery, tenantId: _tenant, trigger, outcome, ...rest }) => ({
    ...rest,
    trigger: trigger as AttemptTrigger,
    outcome: outcome as AttemptOutcome,
  }));
  return { ...toDelivery(row), attemptLog };
}

/**
 * Makes one attempt at once, whatever the status, outside of the retry schedule. Success ends the delivery, failure
 * leaves it unchanged. A delivery that waits for its first attempt, or for another manual one, is due already and stays
 * as it is.
 * @throws AppError webhook_not_found, webhook_delivery_not_found, conflict while an attempt is in flight
 */
export async function retryDelivery(scope: TenantScope, webhookId: string, id: string): Promise<Delivery> {
  await getWebhook(scope, webhookId);
  const { db, tenantId } = scope;
  const [row] = await db.query<{ status: string; pending: boolean; changed: boolean }>(
    `with found as (
       select id, status, status = 'pending' as pending from webhook_deliveries
        where tenant_id = $1::uuid and webhook_id = $2::uuid and id = $3::uuid for update),
     changed as (
       update webhook_deliveries d
          set status = 'pending', resume_status = d.status, resume_at = d.next_attempt_at, next_attempt_at = now()
         from found f where d.tenant_id = $1::uuid and d.id = f.id and f.status not in ('sending', 'pending')
       returning 1)
     select status, pending, exists (select 1 from changed) as changed from found`,
    [tenantId, webhookId, id],
  );
  if (!row) throw deliveryNotFound();
  if (row.status === 'sending')
    throw new AppError('conflict', 'An attempt of this delivery is under way; try again when it is over');
  await db.afterCommit(() => enqueueDeliveries(scope.queue, [tenantId]));
  return getDelivery(scope, webhookId, id);
}

/** Sends WEBHOOK_TEST to one webhook. @throws AppError webhook_not_found */
export async function testWebhook(scope: TenantScope, webhookId: string): Promise<Delivery> {
  await getWebhook(scope, webhookId);
  const id = await emitTestEvent(scope.db, scope.tenantId, webhookId);
  await scope.db.afterCommit(() => enqueueDeliveries(scope.queue, [scope.tenantId]));
  return getDelivery(scope, webhookId, id);
}
