import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@tieout/client';
import { CommandError } from '../failure';

/** The two secrets of a webhook. */
export interface WebhookSecrets {
  secret: string;
  signingSecret: string;
}

/** One delivery, and its answer. */
export interface ReceivedDelivery {
  event: string;
  eventId: string;
  /** The status that Tieout got. */
  answered: number;
  /** The reason why the event did not get through. */
  fault: string | null;
  body: unknown;
}

interface ReceiverOptions {
  port: number;
  /** The address that gets each verified delivery as it came; its answer is passed on. */
  forwardTo: string | undefined;
  onDelivery: (delivery: ReceivedDelivery) => void;
}

/** The service sends at most this much. */
const maxBodyBytes = 4 << 20;
const forwardMs = 15_000;
/** Headers that belong to one connection. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'expect'];

/** Receives deliveries on this computer: refuses those that are not of its webhook, and passes the others on. */
export class WebhookReceiver {
  /** Null until the webhook is registered: nothing is taken before. */
  secrets: WebhookSecrets | null = null;
  private readonly server: Server;

  private constructor(private readonly options: ReceiverOptions) {
    this.server = createServer((request, response) => {
      void this.answer(request).then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
    });
  }

  /** @throws CommandError if the port is taken */
  static async start(options: ReceiverOptions): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(options);
    await new Promise<void>((resolve, reject) => {
      receiver.server.once('error', ({ code }: NodeJS.ErrnoException) =>
        reject(new CommandError(`Port ${options.port} cannot be listened to (${code}): choose one with --port`)),
      );
      receiver.server.listen(options.port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(request: IncomingMessage): Promise<number> {
    const body = await bytesOf(request);
    if (this.secrets === null || body === null) return body === null ? 413 : 503;
    const isOurs = await verifyWebhook({ payload: body, headers: request.headers, ...this.secrets });
    const { event, data } = isOurs ? eventOf(body) : { event: '', data: undefined };
    const told = { event, eventId: String(request.headers['webhook-id'] ?? ''), body: { event, data } };
    const { onDelivery } = this.options;
    if (!isOurs) {
      onDelivery({ ...told, answered: 401, fault: 'is not signed by this webhook, or too old' });
      return 401;
    }
    const { answered, fault } = await this.forward(body, request.headers);
    onDelivery({ ...told, answered, fault });
    return answered;
  }

  private async forward(
    body: Buffer<ArrayBuffer>,
    headers: IncomingHttpHeaders,
  ): Promise<{ answered: number; fault: string | null }> {
    const { forwardTo } = this.options;
    if (forwardTo === undefined) return { answered: 200, fault: null };
    const passed = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !ownHeaders.includes(name) ? [[name, value] as [string, string]] : [],
    );
    try {
      const signal = AbortSignal.timeout(forwardMs);
      const { status, body: answer } = await fetch(forwardTo, { method: 'POST', headers: passed, body, signal });
      await answer?.cancel();
      return { answered: status, fault: status < 300 ? null : `${forwardTo} answered ${status}` };
    } catch (error) {
      const { cause, message } = error as Error;
      return {
        answered: 502,
        fault: `${forwardTo} does not answer (${(cause as Error | undefined)?.message ?? message})`,
      };
    }
  }
}

/** The bytes of a request; null for more than a delivery has. */
async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function eventOf(body: Buffer): { event: string; data: unknown } {
  try {
    const { event, data } = JSON.parse(body.toString()) as { event?: unknown; data?: unknown };
    return { event: String(event), data };
  } catch {
    return { event: 'unknown', data: body.toString() };
  }
}
