import { AppError, invalid, newId, type Cipher, type FieldError, type OutboundClient } from '@tieout/infra';
import type { EventType } from '../events';
import type { TenantScope } from '../scope';
import { cancelDeliveries } from './cancel';

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

/** What is needed to look at an address and to keep a secret. */
export interface WebhookMeans {
  outbound: Pick<OutboundClient, 'checkResolved'>;
  cipher: Cipher;
}

const shown = { id: true, url: true, events: true, createdAt: true, updatedAt: true } as const;

export const webhookNotFound = (): AppError => new AppError('webhook_not_found', 'Webhook not found');

/** What binds the encrypted secret to its row: elsewhere it cannot be read. */
export const secretBinding = (tenantId: string, id: string) => ({ tenantId, purpose: 'webhooks.secret', rowId: id });

/** @throws AppError validation_error for a url that is not https and for a secret that cannot be sent as it is, webhook_url_not_allowed for an unsafe url */
export async function createWebhook(scope: TenantScope, input: WebhookInput, means: WebhookMeans): Promise<Webhook> {
  await checkInput(input, means);
  const { tenantId, db } = scope;
  const id = newId();
  const secret = means.cipher.encrypt(input.secret, secretBinding(tenantId, id));
  return db.orm.webhook.create({ data: { id, tenantId, url: input.url, secret, events: eventsOf(input) }, select: shown });
}

/**
 * Takes effect with the next attempt of any delivery. Without `events` the webhook gets all.
 * @throws AppError webhook_not_found, and as createWebhook
 */
export async function updateWebhook(scope: TenantScope, id: string, input: WebhookInput, means: WebhookMeans): Promise<Webhook> {
  await checkInput(input, means);
  const secret = means.cipher.encrypt(input.secret, secretBinding(scope.tenantId, id));
  const [webhook] = await scope.db.orm.webhook.updateManyAndReturn({
    where: { id, deletedAt: null },
    data: { url: input.url, secret, events: eventsOf(input), updatedAt: new Date() },
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
 * Nothing more is sent to it. What waits is cancelled; deliveries stay readable, the secret is forgotten.
 * @throws AppError webhook_not_found
 */
export async function deleteWebhook(scope: TenantScope, id: string): Promise<void> {
  const { count } = await scope.db.orm.webhook.updateMany({
    where: { id, deletedAt: null },
    data: { deletedAt: new Date(), secret: '' },
  });
  if (count === 0) throw new AppError('webhook_not_found', 'Webhook not found.');
  await scope.db.afterCommit(() => cancelDeliveries(scope.db, scope.tenantId, id));
}

const eventsOf = ({ events }: WebhookInput): string[] => [...new Set(events)];

/** An HTTP client would send anything else in another form than it was given. */
const sendable = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/;
const longestSecret = 1024;

async function checkInput({ url, secret }: WebhookInput, { outbound }: WebhookMeans): Promise<void> {
  const faults: FieldError[] = [];
  if (secret.length > longestSecret || !sendable.test(secret)) {
    const message = `must be 1 to ${longestSecret} printable ASCII characters, without spaces at its ends`;
    faults.push({ path: '/secret', code: 'secret', message });
  }
  // A url parser would drop them without a word.
  if (/\s/.test(url)) faults.push({ path: '/url', code: 'url', message: 'must not hold spaces or line breaks; write them as %20' });
  if (faults.length > 0) throw invalid(faults);
  const verdict = await outbound.checkResolved(url);
  if (verdict.ok) return;
  const fault = { path: '/url', code: verdict.reason, message: verdict.message };
  if (verdict.reason === 'not_https') throw invalid([fault]);
  throw new AppError('webhook_url_not_allowed', `/url: ${verdict.message}`, { errors: [fault] });
}
