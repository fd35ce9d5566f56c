import { AppError, invalid, newId, type Cipher, type FieldError, type Queries, type UrlVerdict } from '@tieout/infra';
import { requireRoom } from '../access/quotas';
import { changesOf, recordAudit } from '../audit';
import { isPendingSql, type EventType } from '../events';
import type { TenantScope } from '../kernel/scope';
import { newSigningSecret, secretBinding, signingBinding, signingSecretFaults } from './secrets';

/** A webhook as its tenant sees it: without its secret. */
export interface Webhook {
  id: string;
  url: string;
  /** []: all events. */
  events: string[];
  createdAt: Date;
  updatedAt: Date;
  /** False for a webhook created before signing secrets existed: `secret` signs until it gets one. */
  hasSigningSecret: boolean;
  /** The end of the time in which the previous signing secret signs too; null when it does not. */
  oldSigningUntil: Date | null;
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

const shown = {
  id: true,
  url: true,
  events: true,
  createdAt: true,
  updatedAt: true,
  signingSecret: true,
  oldSigningUntil: true,
} as const;

type ShownWebhook = Omit<Webhook, 'hasSigningSecret'> & { signingSecret: string };

function toWebhook({ signingSecret, oldSigningUntil, ...webhook }: ShownWebhook): Webhook {
  const signs = oldSigningUntil !== null && oldSigningUntil > new Date();
  return { ...webhook, hasSigningSecret: signingSecret !== '', oldSigningUntil: signs ? oldSigningUntil : null };
}

export const webhookNotFound = (): AppError => new AppError('webhook_not_found', 'Webhook not found');

/**
 * Creates a webhook; only this result holds its signing secret.
 * @param input `signingSecret`: default: a new one
 * @throws AppError validation_error for a url that is not https and for secrets that cannot be used,
 * webhook_url_not_allowed for an unsafe url, quota_exceeded when the tenant has as many as it may
 */
export async function createWebhook(
  scope: TenantScope,
  input: WebhookInput & { signingSecret?: string },
  means: WebhookMeans,
): Promise<{ webhook: Webhook; signingSecret: string }> {
  const { signingSecret = newSigningSecret() } = input;
  const url = checkInput(input, means.verdict, signingSecretFaults(signingSecret, input.secret));
  const { tenantId } = scope;
  const id = newId();
  const data = {
    id,
    tenantId,
    url,
    events: eventsOf(input),
    secret: means.cipher.encrypt(input.secret, secretBinding(tenantId, id)),
    signingSecret: means.cipher.encrypt(signingSecret, signingBinding(tenantId, id)),
  };
  const row = await scope.transaction(async (tx) => {
    await requireRoom(tx, 'webhooks');
    const made = await tx.db.orm.webhook.create({ data, select: shown });
    await recordAudit(tx, { action: 'webhook.create', object: { type: 'webhook', id }, after: audited(made) });
    return made;
  });
  return { webhook: toWebhook(row), signingSecret };
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
  return scope.transaction(async (tx) => {
    const before = await lockWebhook(tx, id);
    const where = { id, deletedAt: null };
    const data = { url, secret, events: eventsOf(input), updatedAt: new Date() };
    const [webhook] = await tx.db.orm.webhook.updateManyAndReturn({ where, data, select: shown });
    if (!webhook) throw webhookNotFound();
    // A secret is replaced by each update: an entry says so and never what it is.
    const changes = changesOf(audited(before), { ...audited(webhook), secret: 'replaced' });
    await recordAudit(tx, { action: 'webhook.update', object: { type: 'webhook', id }, ...changes });
    return toWebhook(webhook);
  });
}

/** @throws AppError webhook_not_found */
async function lockWebhook({ db, tenantId }: TenantScope, id: string): Promise<{ url: string; events: string[] }> {
  const [webhook] = await db.query<{ url: string; events: string[] }>(
    `select url, events from webhooks where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null for update`,
    [tenantId, id],
  );
  if (!webhook) throw webhookNotFound();
  return webhook;
}

const audited = ({ url, events }: { url: string; events: string[] }): object => ({ url, events });

/** Lists webhooks, newest first. */
export async function listWebhooks(scope: TenantScope): Promise<Webhook[]> {
  const where = { deletedAt: null };
  return (await scope.db.orm.webhook.findMany({ where, orderBy: { id: 'desc' }, select: shown })).map(toWebhook);
}

/** @throws AppError webhook_not_found */
export async function getWebhook(scope: TenantScope, id: string): Promise<Webhook> {
  const webhook = await scope.db.orm.webhook.findFirst({ where: { id, deletedAt: null }, select: shown });
  if (!webhook) throw webhookNotFound();
  return toWebhook(webhook);
}

/**
 * Deletes a webhook and its secret, and cancels its waiting deliveries: the first few thousand now, the rest by sweeps.
 * Deliveries stay readable.
 * @throws AppError webhook_not_found
 */
export async function deleteWebhook(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const before = await lockWebhook(tx, id).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('webhook_not_found', 'Webhook not found.') : error;
    });
    await tx.db.orm.webhook.updateMany({
      where: { id },
      data: { deletedAt: new Date(), secret: '', signingSecret: '', oldSigningSecret: '', oldSigningUntil: null },
    });
    await recordAudit(tx, {
      action: 'webhook.delete',
      object: { type: 'webhook', id },
      before: audited(before),
    });
    await tx.db.afterCommit(async () => void (await cancelSomeDeliveries(scope.db, scope.tenantId, id)));
  });
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

/** Returns the url as the URL standard normalises it. @param faults those of other fields */
function checkInput({ url, secret }: WebhookInput, verdict: UrlVerdict, faults: FieldError[] = []): string {
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
