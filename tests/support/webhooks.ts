import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHttpsReceiver, type HttpsReceiver } from '@tieout/testing';
import { eventually, type Stack } from './stack';
import { TenantClient } from './tenant';

export const webhookSecret = 'whsec_c2VjcmV0IG9mIHRoZSBlbmQgdG8gZW5kIHRlc3Rz';

/** A receiver of webhooks, and the settings with which a stack may send to it. */
export interface TrustedReceiver {
  receiver: HttpsReceiver;
  settings: Record<string, string>;
  close(): Promise<void>;
}

export async function startTrustedReceiver(): Promise<TrustedReceiver> {
  const receiver = await startHttpsReceiver();
  const directory = await mkdtemp(path.join(tmpdir(), 'tieout-webhooks-'));
  const ca = path.join(directory, 'ca.pem');
  await writeFile(ca, receiver.ca);
  return {
    receiver,
    settings: {
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_ALLOWED_PORTS: String(receiver.port),
      WEBHOOK_EXTRA_CA_FILE: ca,
      LOG_LEVEL: 'debug',
    },
    close: async () => {
      await receiver.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface ListedDelivery {
  id: string;
  status: string;
  attemptLog: { outcome: string }[];
}

export interface TenantSubscriber {
  tenant: TenantClient;
  webhookId: string;
  signingSecret: string;
  path: string;
  /** Has a test event sent; returns the id of its delivery. */
  send(): Promise<string>;
  delivery(id: string): Promise<ListedDelivery>;
  /** Resolves with the delivery once it has this status. */
  reached(id: string, status: string): Promise<ListedDelivery>;
}

/** Its own tenant with a webhook. */
export async function newSubscriber(to: Stack, receiver: HttpsReceiver): Promise<TenantSubscriber> {
  const tenant = await TenantClient.create(to);
  const at = `/${tenant.tenantId}`;
  const { data } = await tenant.http.post<{ data: { id: string; signingSecret: string } }>('/v1/webhooks', {
    url: receiver.urlByAddress(at),
    secret: webhookSecret,
  });
  const webhookId = data.data.id;
  const delivery = async (id: string): Promise<ListedDelivery> =>
    (await tenant.http.get<{ data: ListedDelivery }>(`/v1/webhooks/${webhookId}/deliveries/${id}`)).data.data;
  return {
    tenant,
    webhookId,
    signingSecret: data.data.signingSecret,
    path: at,
    delivery,
    send: async () => (await tenant.http.post<{ data: { id: string } }>(`/v1/webhooks/${webhookId}/test`)).data.data.id,
    reached: (id, status) =>
      eventually(`delivery ${status}`, async () => {
        const found = await delivery(id);
        return found.status === status ? found : undefined;
      }),
  };
}

export const outcomesOf = ({ attemptLog }: ListedDelivery): string[] => attemptLog.map(({ outcome }) => outcome);
