export interface SignedDelivery {
  /** The body as bytes, exactly as received, or as text. */
  payload: Uint8Array | string;
  /** The headers of the request; names in any case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook, which `Authorization` carries. */
  secret: string;
  /** The signing secret of the webhook. Default: `secret`, for a webhook that signs with it. */
  signingSecret?: string | undefined;
  /** The largest age of a delivery. Default: 300. */
  toleranceSeconds?: number | undefined;
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const signingPrefix = 'whsec_';
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!base64.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function headerOf(headers: SignedDelivery['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? '');
}

const importKey = (secret: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** Compares two texts in a time that does not tell where they differ. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const key = await importKey(crypto.getRandomValues(new Uint8Array(32)));
  return crypto.subtle.verify('HMAC', key, await crypto.subtle.sign('HMAC', key, utf8(one)), utf8(other));
}

/**
 * Says whether a delivery came from Tieout: it carries the secret, is not old, and one of its signatures is that of the
 * body. Comparisons take constant time.
 */
export async function verifyWebhook(delivery: SignedDelivery): Promise<boolean> {
  const { payload, headers, secret, signingSecret = secret, toleranceSeconds = 300 } = delivery;
  // In JavaScript a variable that is not set arrives as undefined, which no delivery must match.
  for (const [name, text] of Object.entries({ secret, signingSecret }))
    if (typeof text !== 'string') throw new TypeError(`verifyWebhook: ${name} is missing`);
  if (secret === '' || signingSecret === '' || !(await isEqual(headerOf(headers, 'authorization'), secret)))
    return false;
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!/^\d{1,12}$/.test(timestamp) || !isRecent) return false;
  const encoded = signingSecret.startsWith(signingPrefix) ? signingSecret.slice(signingPrefix.length) : '';
  const key = await importKey(bytesOfBase64(encoded) ?? utf8(signingSecret));
  const head = utf8(`${headerOf(headers, 'webhook-id')}.${timestamp}.`);
  const body = typeof payload === 'string' ? utf8(payload) : payload;
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const one of headerOf(headers, 'webhook-signature').split(' ')) {
    const [version, signature = ''] = one.split(',');
    const bytes = version === 'v1' ? bytesOfBase64(signature) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}
