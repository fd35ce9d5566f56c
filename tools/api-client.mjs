import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';

function describe(error) {
  const { response, config } = error;
  const call = `${config?.method?.toUpperCase() ?? 'GET'} ${config?.url ?? ''}`;
  if (!response) return `${call}: ${error.code ?? error.message}`;
  const { code, message, errors } = response.data ?? {};
  const detail = (errors ?? []).map((entry) => `${entry.path ?? ''} ${entry.message ?? ''}`.trim()).join('; ');
  return `${call} answered ${response.status} ${code ?? ''} ${message ?? ''}${detail ? ` (${detail})` : ''}`;
}

/** An answer that is not a success, with the service's own words. */
export class ApiError extends Error {
  constructor(error) {
    super(describe(error), { cause: error });
    this.status = error.response?.status;
    this.code = error.response?.data?.code;
  }
}

const maxWaitMs = 60_000;

/**
 * A client of the REST interface that waits when it is told to slow down (429 with Retry-After).
 *
 * @param {{ baseUrl: string, headers: Record<string, string>, signal?: AbortSignal }} options
 */
export function apiClient({ baseUrl, headers, signal }) {
  // No proxy from the environment: the service is next door. Numbers and sizes are as the service gives them.
  const http = axios.create({
    baseURL: baseUrl,
    headers,
    signal,
    proxy: false,
    timeout: 60_000,
    maxBodyLength: 64 * 1024 * 1024,
  });
  async function call(request) {
    const deadline = Date.now() + maxWaitMs;
    for (;;) {
      try {
        return (await http.request(request)).data;
      } catch (error) {
        if (!axios.isAxiosError(error) || signal?.aborted) throw error;
        if (error.response?.status !== 429 || Date.now() > deadline) throw new ApiError(error);
        await sleep(1_000 * (Number(error.response.headers['retry-after']) || 1), undefined, { signal });
      }
    }
  }
  return {
    get: (url, params) => call({ method: 'get', url, params }),
    post: (url, data, options = {}) => call({ method: 'post', url, data, ...options }),
    patch: (url, data) => call({ method: 'patch', url, data }),
    delete: (url) => call({ method: 'delete', url }),
    /** All items of a list, page after page. */
    async *list(url, params = {}) {
      for (let page = 1; ; page++) {
        const { items, total } = await call({ method: 'get', url, params: { ...params, page, limit: 100 } });
        yield* items;
        if (items.length === 0 || page * 100 >= total) return;
      }
    },
    /** All items of a list that gives a cursor. */
    async *scroll(url, params = {}) {
      let cursor;
      do {
        const answer = await call({
          method: 'get',
          url,
          params: { ...params, limit: 100, ...(cursor ? { cursor } : {}) },
        });
        yield* answer.items;
        cursor = answer.next_cursor;
      } while (cursor);
    },
  };
}
