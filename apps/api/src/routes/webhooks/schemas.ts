import { Type, type TSchema } from '@sinclair/typebox';
import {
  attemptOutcomes,
  bodyStates,
  deliveryStatuses,
  eventTypes,
  testEventType,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type Page,
  type Webhook,
} from '@tieout/domain';
import { closed, nullable, pageOf, textEnum, timestamp, uuid } from '../../http';

/** Success as webhook operations answer it. */
export const successOf = <S extends TSchema>(data: S) => closed({ status: Type.Literal('success'), data });

const events = Type.Array(textEnum(eventTypes), {
  minItems: 1,
  maxItems: 100,
  description: 'The events that it receives; absent: all',
});

const webhook = {
  id: uuid({ description: 'UUID v7' }),
  url: Type.String(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  events: Type.Optional(events),
  signsWith: Type.Optional(
    Type.Literal('secret', { description: 'Only while it has no signing secret: rotate-signing-secret gives it one' }),
  ),
  oldSigningSecretUntil: Type.Optional(
    timestamp({ description: 'Only while the signing secret of before the last rotation signs as well' }),
  ),
};

const example = {
  id: '01994e6c-2a10-7c44-9f02-6b1d3e5f7a21',
  url: 'https://receiver.example.com/tieout',
  createdAt: '2026-09-15T08:31:00.000Z',
  updatedAt: '2026-09-15T08:31:00.000Z',
};

const exampleSecret = 'f2b6c1d09e3a4b57';
const exampleSigningSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const webhookSchema = closed(webhook, { $id: 'Webhook', examples: [example] });

export const createdWebhookSchema = closed(
  {
    ...webhook,
    secret: Type.String({ description: 'The secret as it was sent: shown in this answer only' }),
    signingSecret: Type.String({ description: 'Signs deliveries: shown in this answer only' }),
  },
  { $id: 'CreatedWebhook', examples: [{ ...example, secret: exampleSecret, signingSecret: exampleSigningSecret }] },
);

const signingSecret = Type.String({
  description:
    'Signs deliveries: whsec_ and 24 to 64 random bytes in base64, or as many printable characters. Default: a new one',
});

export const rotationBody = closed(
  {
    signingSecret: Type.Optional(signingSecret),
    overlapSeconds: Type.Integer({
      default: 86_400,
      minimum: 0,
      maximum: 2_592_000,
      description: 'For how long the signing secret of until now signs as well',
    }),
  },
  { examples: [{ overlapSeconds: 86_400 }] },
);

export const rotatedSchema = closed(
  { ...webhook, signingSecret: Type.String({ description: 'Signs from now on: shown in this answer only' }) },
  { $id: 'RotatedWebhook', examples: [{ ...example, signingSecret: exampleSigningSecret }] },
);

const sentWebhook = {
  url: Type.String({ description: 'https, a public host by name, port 443 or 8443 unless configured otherwise' }),
  secret: Type.String({
    description:
      'Sent unchanged in the header Authorization: 1 to 1024 printable ASCII characters, no space at either end',
  }),
  events: Type.Optional(events),
};

const exampleBody = { url: example.url, secret: exampleSecret, events: ['MATCHING_JOB_COMPLETED'] };

export const webhookBody = closed(sentWebhook, { examples: [exampleBody] });

export const newWebhookBody = closed(
  { ...sentWebhook, signingSecret: Type.Optional(signingSecret) },
  { examples: [exampleBody] },
);

const delivery = {
  id: uuid(),
  event: Type.String(),
  eventId: uuid({ description: 'data.eventId of the body, and the header webhook-id' }),
  status: textEnum(deliveryStatuses),
  attempts: Type.Integer({ minimum: 0 }),
  nextAttemptAt: nullable(timestamp()),
  createdAt: timestamp(),
};

export const deliverySchema = closed(delivery, {
  $id: 'WebhookDelivery',
  description: 'One event on its way to one webhook',
});

const attempt = closed(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: textEnum(['schedule', 'manual']),
    startedAt: timestamp(),
    durationMs: Type.Integer({
      minimum: 0,
      description: 'For an attempt whose process was lost: the longest that it can have lasted',
    }),
    outcome: textEnum(attemptOutcomes, {
      description: 'delivered: status 200 to 299; interrupted: our process was stopped or lost during the attempt',
    }),
    responseStatus: nullable(Type.Integer()),
    responseBody: nullable(Type.String({ description: 'Its first 4 KiB' })),
    bodyState: nullable(textEnum(bodyStates, { description: 'How far the answer was read' })),
    remoteAddress: nullable(Type.String()),
    retryAfter: nullable(Type.String({ description: 'As the receiver sent it; the schedule stays' })),
    error: nullable(Type.String()),
  },
  { $id: 'WebhookAttempt' },
);

export const deliveryDetailSchema = closed(
  { ...delivery, attemptLog: Type.Array(attempt) },
  { $id: 'WebhookDeliveryDetail' },
);

const { items: _items, ...counts } = pageOf(deliverySchema).properties;
export const deliveriesSchema = closed({ deliveries: Type.Array(deliverySchema), ...counts });

export const deliveryFilter = {
  status: Type.Optional(textEnum(deliveryStatuses)),
  event: Type.Optional(textEnum([...eventTypes, testEventType])),
};

/** Success as webhook operations answer it. */
export const success = <T>(data: T) => ({ status: 'success' as const, data });

/** `events` is there when the webhook names some: without it, it gets all. */
export const presentWebhook = ({ id, url, events, createdAt, updatedAt, ...signing }: Webhook) => ({
  id,
  url,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(events.length === 0 ? {} : { events }),
  ...(signing.hasSigningSecret ? {} : { signsWith: 'secret' as const }),
  ...(signing.oldSigningUntil ? { oldSigningSecretUntil: signing.oldSigningUntil.toISOString() } : {}),
});

export const presentDelivery = ({ id, event, eventId, status, attempts, nextAttemptAt, createdAt }: Delivery) => ({
  id,
  event,
  eventId,
  status,
  attempts,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

export const presentDeliveries = ({ items, total, page, limit }: Page<Delivery>) =>
  success({ deliveries: items.map(presentDelivery), total, page, limit });

export const presentDeliveryDetail = (delivery: DeliveryDetail) => ({
  ...presentDelivery(delivery),
  attemptLog: delivery.attemptLog.map(presentAttempt),
});

const presentAttempt = ({ startedAt, ...attempt }: DeliveryAttempt) => ({
  ...attempt,
  startedAt: startedAt.toISOString(),
});
