import { AppError, invalid, newId, type Cipher, type FieldError, type UrlVerdict } from '@tieout/infra';
import type { EventType } from '../events';
import type { TenantScope } from '../kernel/scope';
import { cancelSomeDeliveries } from './cancel';

/** A webhook as it can be shown at any time: without its secret. */
export interface Webhook {
  id: string;
  url: string;
  /** [] = all events. */
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
  /** Of the input's url, from `checkResolved`. It is asked for before: no transaction may wait for a name server. */
  verdict: UrlVerdict;
}

const shown = { id: true, url: true, events: true, createdAt: true, updatedAt: true } as const;

export const webhookNotFound = (): AppError => new AppError('webhook_not_found', 'Webhook not found');

export const secretPurpose = 'webhooks.secret';

/** What binds the encrypted secret to its row: elsewhere it cannot be read. */
export const secretBinding = (tenantId: string, id: string) => ({ tenantId, purpose: secretPurpose, rowId: id });

/** An event is stored once, and a delivery for each webhook that wants it. */
export const mostWebhooks = 50;

/**
 * @throws AppError validation_error for a url that is not https and for a secret that cannot be sent as it is,
 * webhook_url_not_allowed for an unsafe url, conflict when the tenant has as many as it may have
 */
export async function createWebhook(scope: TenantScope, input: WebhookInput, means: WebhookMeans): Promise<Webhook> {
  const url = checkInput(input, means.verdict);
  const { tenantId } = scope;
  const id = newId();
  const secret = means.cipher.encrypt(input.secret, secretBinding(tenantId, id));
  return scope.transaction(async ({ db }) => {
    // Two that come at the same time are counted one after the other.
    await db.execute(`select 1 from tenants where id = $1::uuid for no key update`, [tenantId]);
    if ((await db.orm.webhook.count({ where: { deletedAt: null } })) >= mostWebhooks) {
      throw new AppError(
        'conflict',
        `A tenant has at most ${mostWebhooks} webhooks; remove one that is not needed, or give one of them several events`,
      );
    }
    return db.orm.webhook.create({ data: { id, tenantId, url, secret, events: eventsOf(input) }, select: shown });
  });
}

/**
 * Takes effect with the next attempt of any delivery. Without `events` the webhook gets all.
 * @throws AppError webhook_not_found, and as createWebhook
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

/** Newest first. */
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
 * Nothing more is sent to it. What waits is cancelled, all but the first few thousand by sweeps; deliveries stay readable, the
 * secret is forgotten.
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

const eventsOf = ({ events }: WebhookInput): string[] => [...new Set(events)];

/** An HTTP client would send anything else in another form than it was given. */
const sendable = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const longestSecret = 1024;

/** The url as the URL standard normalises it. */
function checkInput({ url, secret }: WebhookInput, verdict: UrlVerdict): string {
  const faults: FieldError[] = [];
  if (secret.length > longestSecret || !sendable.test(secret)) {
    const message = `must be 1 to ${longestSecret} printable ASCII characters, without spaces at its ends`;
    faults.push({ path: '/secret', code: 'secret', message });
  }
  // A url parser would drop them without a word.
  if (/\s/.test(url))
    faults.push({ path: '/url', code: 'url', message: 'must not hold spaces or line breaks; write them as %20' });
  if (faults.length > 0) throw invalid(faults);
  if (verdict.ok) return verdict.url;
  const fault = { path: '/url', code: verdict.reason, message: verdict.message };
  if (verdict.reason === 'not_https') throw invalid([fault]);
  throw new AppError('webhook_url_not_allowed', `/url: ${verdict.message}`, { errors: [fault] });
}
