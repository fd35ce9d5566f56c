import { createHmac } from 'node:crypto';
import { verifyWebhook, type SignedDelivery } from './verify-webhook';

const secret = 'Bearer s3cret';
const key = Buffer.from('0123456789abcdef0123456789abcdef');
const signingSecret = `whsec_${key.toString('base64')}`;
const payload = '{"event":"X","data":{"text":"é"}}';
const nowSeconds = () => Math.floor(Date.now() / 1_000);

const signature = (signed: string, by: Buffer | string = key): string =>
  `v1,${createHmac('sha256', by).update(signed).digest('base64')}`;

function delivery(change: Partial<SignedDelivery> = {}, headers: Record<string, string> = {}): SignedDelivery {
  const timestamp = headers['webhook-timestamp'] ?? String(nowSeconds());
  return {
    payload,
    secret,
    signingSecret,
    headers: {
      Authorization: secret,
      'Webhook-Id': 'e1',
      'webhook-timestamp': timestamp,
      'webhook-signature': signature(`e1.${timestamp}.${payload}`),
      ...headers,
    },
    ...change,
  };
}

const now = String(nowSeconds());

test.each([
  ['as it is sent', delivery()],
  ['with the bytes of the body', delivery({ payload: Buffer.from(payload) })],
  ['with Headers', delivery({ headers: new Headers(delivery().headers as Record<string, string>) })],
  [
    'with two signatures, during a rotation',
    delivery({}, { 'webhook-signature': `v1,AAAA ${signature(`e1.${now}.${payload}`)}`, 'webhook-timestamp': now }),
  ],
  [
    'signed with the secret itself',
    {
      payload,
      secret,
      headers: {
        authorization: secret,
        'webhook-id': 'e1',
        'webhook-timestamp': now,
        'webhook-signature': signature(`e1.${now}.${payload}`, secret),
      },
    },
  ],
] satisfies [string, SignedDelivery][])('a delivery of Tieout is accepted: %s', async (_, given) => {
  expect(await verifyWebhook(given)).toBe(true);
});

test.each([
  ['another secret', delivery({}, { Authorization: 'Bearer other' })],
  ['no secret at all', delivery({ secret: '' }, { Authorization: '' })],
  ['another body', delivery({ payload: payload.replace('X', 'Y') })],
  ['another signing secret', delivery({ signingSecret: `whsec_${Buffer.from('other').toString('base64')}` })],
  ['an old one', delivery({}, { 'webhook-timestamp': String(nowSeconds() - 301) })],
  ['one of the future', delivery({}, { 'webhook-timestamp': String(nowSeconds() + 400) })],
  ['a time that is none', delivery({}, { 'webhook-timestamp': 'NaN' })],
  ['another id', delivery({}, { 'Webhook-Id': 'e2' })],
  ['another version', delivery({}, { 'webhook-signature': signature(`e1.${now}.${payload}`).replace('v1', 'v2') })],
  ['no signature', delivery({}, { 'webhook-signature': '' })],
  ['a signature that is not base64', delivery({}, { 'webhook-signature': 'v1,!!!!' })],
] satisfies [string, SignedDelivery][])('any other is refused: %s', async (_, given) => {
  expect(await verifyWebhook(given)).toBe(false);
});

test('a secret that is not set is told by its name', async () => {
  const unset = delivery({ secret: undefined as unknown as string }, { Authorization: '' });
  await expect(verifyWebhook(unset)).rejects.toThrow('verifyWebhook: secret is missing');
  expect(await verifyWebhook(delivery({ signingSecret: '' }))).toBe(false);
});
