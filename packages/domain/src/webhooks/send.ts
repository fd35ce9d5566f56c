import { messageOf, type Cipher, type OutboundClient, type OutboundResult } from '@tieout/infra';
import type { ClaimedAttempt } from './claim';
import type { DeliveryPolicy } from './schedule';
import type { AttemptResult } from './settle';
import { sign } from './signature';
import { secretBinding } from './webhooks';

export const userAgent = 'Tieout-Webhook/1.0';

export interface SendMeans {
  outbound: Pick<OutboundClient, 'post'>;
  cipher: Pick<Cipher, 'decrypt'>;
  policy: DeliveryPolicy;
}

/** Makes one attempt. Never throws: what cannot be sent is a failed attempt too. */
export async function sendAttempt({ outbound, cipher, policy }: SendMeans, attempt: ClaimedAttempt): Promise<AttemptResult> {
  const { id, tenantId, number, scheduled, trigger } = attempt;
  const head = { id, tenantId, number, scheduled, trigger };
  const startedMs = performance.now();
  try {
    const body = Buffer.from(attempt.body, 'utf8');
    const result = await outbound.post({
      url: attempt.url,
      headers: headersOf(attempt, body, cipher),
      body,
      deadlineMs: number === 1 ? policy.firstTimeoutMs : policy.retryTimeoutMs,
    });
    return { ...head, ...result, durationMs: Math.round(result.durationMs) };
  } catch (error) {
    return { ...head, ...notSent(messageOf(error)), durationMs: Math.round(performance.now() - startedMs) };
  }
}

function headersOf(attempt: ClaimedAttempt, body: Buffer, cipher: SendMeans['cipher']): Record<string, string> {
  const secret = cipher.decrypt(attempt.secret, secretBinding(attempt.tenantId, attempt.webhookId));
  const timestamp = Math.floor(attempt.startedAt.getTime() / 1000);
  return {
    'Content-Type': 'application/json',
    Authorization: secret,
    'User-Agent': userAgent,
    'webhook-id': attempt.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, { id: attempt.eventId, timestamp, body }),
  };
}

const notSent = (reason: string): Omit<OutboundResult, 'durationMs'> => ({
  outcome: 'protocol_error',
  httpStatus: null,
  responseSnippet: null,
  bodyState: null,
  remoteAddress: null,
  retryAfter: null,
  error: `Not sent: ${reason}`,
});
