import { messageOf, type Cipher, type OutboundClient } from '@tieout/infra';
import type { ClaimedAttempt } from './claim';
import type { DeliveryPolicy } from './retry-schedule';
import { withoutAnswer, type AttemptResult } from './settle';
import { sign } from './signature';
import { oldSigningBinding, secretBinding, signingBinding } from './secrets';

export const userAgent = 'Tieout-Webhook/1.0';

export interface SendMeans {
  outbound: Pick<OutboundClient, 'post'>;
  cipher: Pick<Cipher, 'decrypt' | 'keyIds'>;
  policy: DeliveryPolicy;
}

/**
 * Makes one attempt. Never throws: what cannot be sent is a failed attempt, what the signal aborts an interrupted one.
 */
export async function sendAttempt(
  { outbound, cipher, policy }: SendMeans,
  attempt: ClaimedAttempt,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { id, tenantId, number, scheduled, trigger, previousOutcome } = attempt;
  const head = { id, tenantId, number, scheduled, trigger, previousOutcome };
  const startedMs = performance.now();
  try {
    const body = Buffer.from(attempt.body, 'utf8');
    const result = await outbound.post({
      url: attempt.url,
      headers: headersOf(attempt, body, cipher),
      body,
      deadlineMs: number === 1 ? policy.firstTimeoutMs : policy.retryTimeoutMs,
      // A stale reused connection may have caused the reset.
      ownConnection: previousOutcome === 'connection_reset',
      signal,
    });
    return { ...head, ...result, durationMs: Math.round(result.durationMs) };
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedMs);
    if (signal.aborted)
      return {
        ...head,
        ...withoutAnswer,
        outcome: 'interrupted',
        error: 'The service was stopped before the receiver had answered',
        durationMs,
      };
    return { ...head, ...withoutAnswer, outcome: 'protocol_error', error: `Not sent: ${messageOf(error)}`, durationMs };
  }
}

function headersOf(attempt: ClaimedAttempt, body: Buffer, cipher: SendMeans['cipher']): Record<string, string> {
  const { tenantId, webhookId, signingSecret, oldSigningSecret } = attempt;
  const secret = cipher.decrypt(attempt.secret, secretBinding(tenantId, webhookId));
  const signing = signingSecret === '' ? secret : cipher.decrypt(signingSecret, signingBinding(tenantId, webhookId));
  const old = oldSigningSecret === '' ? [] : [cipher.decrypt(oldSigningSecret, oldSigningBinding(tenantId, webhookId))];
  const timestamp = Math.floor(attempt.startedAt.getTime() / 1000);
  return {
    'Content-Type': 'application/json',
    Authorization: secret,
    'User-Agent': userAgent,
    'webhook-id': attempt.eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([signing, ...old], { id: attempt.eventId, timestamp, body }),
  };
}
