import axios, { type AxiosRequestConfig } from 'axios';
import type { World } from './world';

/** The outcome is unknown: there was no answer, or one that asks for a retry. */
export class UnansweredError extends Error {}

export interface Request extends AxiosRequestConfig {
  url: string;
  /** Idempotency-Key. */
  key?: string;
}

const requestTimeoutMs = 15_000;
const pauseMs = 150;
/** Faults last seconds: a request without an answer for this long has failed. */
const patienceMs = 180_000;
const tryAgain = new Set(['service_unavailable', 'idempotency_key_in_use', 'item_busy']);

/** Answers by status and code, over all clients: what users see of the faults. */
export const answerCounts = new Map<string, number>();

/** A tenant that keeps at it, as a careful sender does. */
export class FaultClient {
  private constructor(
    private readonly headers: Record<string, string>,
    private readonly baseURL: string,
    readonly tenantId: string,
    /** The target of its webhook. */
    readonly path: string,
  ) {}

  /** Makes the tenant, with a webhook for every event. */
  static async create(world: World, name: string): Promise<FaultClient> {
    const platform = new FaultClient({ 'x-api-key': world.platformKey }, world.url, '', '');
    const { id } = await platform.surely<{ id: string }>({
      method: 'post',
      url: '/v1/tenants',
      data: { name },
      key: name.replaceAll(' ', '-'),
    });
    const own = new FaultClient({ 'x-api-key': world.platformKey, 'x-tenant-id': id }, world.url, id, `/${id}`);
    await own.surely({
      method: 'post',
      url: '/v1/webhooks',
      data: { url: world.receiver.urlByAddress(own.path), secret: 'a secret' },
      key: 'webhook',
    });
    return own;
  }

  /** One try. @throws UnansweredError */
  async once<T>({ key, ...request }: Request): Promise<T> {
    const headers = { ...this.headers, ...request.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const answer = await axios
      .request<T & { code?: string }>({
        ...request,
        headers,
        baseURL: this.baseURL,
        timeout: requestTimeoutMs,
        validateStatus: () => true,
      })
      .catch((error: unknown) => {
        count(`no answer ${(error as { code?: string }).code}`);
        throw new UnansweredError(String(error));
      });
    const { status, data } = answer;
    const code = status < 400 ? '' : ` ${data.code}`;
    count(`${status}${code}`);
    if (status < 400) return data;
    if (status === 429 || tryAgain.has(data.code ?? '')) throw new UnansweredError(`${status}${code}`);
    throw new Error(`${request.method ?? 'get'} ${request.url}: ${status} ${JSON.stringify(data)}`);
  }

  /** Until it is answered. A change needs a key, or must be one that can be made twice. */
  async surely<T>(request: Request): Promise<T> {
    const deadlineMs = Date.now() + patienceMs;
    for (;;) {
      try {
        return await this.once<T>(request);
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        if (Date.now() > deadlineMs)
          throw new Error(`${request.url} is not answered: ${error.message}`, { cause: error });
      }
      await pause(pauseMs);
    }
  }
}

function count(answer: string): void {
  answerCounts.set(answer, (answerCounts.get(answer) ?? 0) + 1);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
