import { AppError, invalid, newId, type Cipher, type FieldError, type Queries, type UrlVerdict } from '@tieout/infra';
import { isPendingSql, type EventType } from '../events';
import type { TenantScope } from '../kernel/scope';

/** A webhook as its tenant sees it: without its secret. */
export interface Webhook {
  id: string;
  url: string;
  /** []: all events. */
  events: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface WebhookInput {
  url: string;
  secret: string;
  events?: readonly EventType[];
}

export interface WebhookMeans {
  cipher: Cipher;
  /** Verdict of `checkResolved` on the url of the input, made before: no transaction may wait for a name server. */
  verdict: UrlVerdict;
}

const shown = { id: true, url: true, events: true, createdAt: true, updatedAt: true } as const;

export const webhookNotFound = (): AppError => new AppError('webhook_not_found', 'Webhook not found');

export const secretPurpose = 'webhooks.secret';

/** Binds an encrypted secret to its row: in another row it cannot be decrypted. */
export const secretBinding = (tenantId: string, id: string) => ({ tenantId, purpose: secretPurpose, rowId: id });

/** Bounds the deliveries of one event: one is stored for each webhook that subscribes to it. */
export const maxWebhooks = 50;

/**
 * @throws AppError validation_error for a url that is not https and for a secret that cannot be sent unchanged,
 * webhook_url_not_allowed for an unsafe url, conflict when the tenant has `maxWebhooks`
 */
export async function createWebhook(scope: TenantScope, input: WebhookInput, means: WebhookMeans): Promise<Webhook> {
  const url = checkInput(input, means.verdict);
  const { tenantId } = scope;
  const id = newId();
  const secret = means.cipher.encrypt(input.secret, secretBinding(tenantId, id));
  return scope.transaction(async ({ db }) => {
    // The lock makes two requests at the same time count one after the other.
    await db.execute(`select 1 from tenants where id = $1::uuid for no key update`, [tenantId]);
    if ((await db.orm.webhook.count({ where: { deletedAt: null } })) >= maxWebhooks) {
      throw new AppError(
        'conflict',
        `A tenant has at most ${maxWebhooks} webhooks; remove one that is not needed, ` +
          'or give one of them several events',
      );
    }
    return db.orm.webhook.create({ data: { id, tenantId, url, secret, events: eventsOf(input) }, select: shown });
  });
}

/**
 * Changes a webhook, with effect on the next attempt of any delivery. Without `events` it subscribes to all.
 * @throws AppError webhook_not_found, and what createWebhook throws
 */
export async function updateWebhook(
  scope: TenantScope,
  id: string,
  input: WebhookInput,
  means: WebhookMeans,
): Promise<Webhook> {
  const url = checkInput(input, means.verdict);
  const secret = means.cipher.encrypt(input.secret, secretBinding(scope.tenantId, id));
  const [webhook] = await scope.db.orm.webhook.updateManyAndReturn({
    where: { id, deletedAt: null },
    data: { url, secret, events: eventsOf(input), updatedAt: new Date() },
    select: shown,
  });
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/** Lists webhooks, newest first. */
export function listWebhooks(scope: TenantScope): Promise<Webhook[]> {
  return scope.db.orm.webhook.findMany({ where: { deletedAt: null }, orderBy: { id: 'desc' }, select: shown });
}

/** @throws AppError webhook_not_found */
export async function getWebhook(scope: TenantScope, id: string): Promise<Webhook> {
  const webhook = await scope.db.orm.webhook.findFirst({ where: { id, deletedAt: null }, select: shown });
  if (!webhook) throw webhookNotFound();
  return webhook;
}

/**
 * Deletes a webhook and its secret, and cancels its waiting deliveries: the first few thousand now, the rest by sweeps.
 * Deliveries stay readable.
 * @throws AppError webhook_not_found
 */
export async function deleteWebhook(scope: TenantScope, id: string): Promise<void> {
  const { count } = await scope.db.orm.webhook.updateMany({
    where: { id, deletedAt: null },
    data: { deletedAt: new Date(), secret: '' },
  });
  if (count === 0) throw new AppError('webhook_not_found', 'Webhook not found.');
  await scope.db.afterCommit(async () => void (await cancelSomeDeliveries(scope.db, scope.tenantId, id)));
}

/** Deliveries that one statement cancels. */
const maxCancelled = 5_000;

/**
 * Cancels the next waiting deliveries of a deleted webhook. One that had ended before its tenant asked for another
 * attempt gets its old status back. Returns whether there may be more.
 */
export async function cancelSomeDeliveries(db: Queries, tenantId: string, webhookId: string): Promise<boolean> {
  const changed = await db.execute(
    `update webhook_deliveries
        set status = case when resume_status in ('delivered', 'abandoned') then resume_status else 'cancelled' end,
            next_attempt_at = null, resume_status = null, resume_at = null
      where tenant_id = $1::uuid and id = any(array(
        select d.id from webhook_deliveries d
         where d.tenant_id = $1::uuid and d.webhook_id = $2::uuid and ${isPendingSql} limit $3::int for update skip
           locked))`,
    [tenantId, webhookId, maxCancelled],
  );
  return changed === maxCancelled;
}

const eventsOf = ({ events }: WebhookInput): string[] => [...new Set(events)];

/** Secrets that an HTTP client sends as they are: it would change any other on the way. */
const sendable = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const maxSecretLength = 1024;

/** Returns the url as the URL standard normalises it. */
function checkInput({ url, secret }: WebhookInput, verdict: UrlVerdict): string {
  const faults: FieldError[] = [];
  if (secret.length > maxSecretLength || !sendable.test(secret)) {
    const message = `must be 1 to ${maxSecretLength} printable ASCII characters, without spaces at its ends`;
    faults.push({ path: '/secret', code: 'secret', message });
  }
  // A url parser would drop them silently.
  if (/\s/.test(url))
    faults.push({ path: '/url', code: 'url', message: 'must not hold spaces or line breaks; write them as %20' });
  if (faults.length > 0) throw invalid(faults);
  if (verdict.ok) return verdict.url;
  const fault = { path: '/url', code: verdict.reason, message: verdict.message };
  if (verdict.reason === 'not_https') throw invalid([fault]);
  throw new AppError('webhook_url_not_allowed', `/url: ${verdict.message}`, { errors: [fault] });
}
