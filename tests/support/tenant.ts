import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { eventually, type Stack } from './stack';

export interface Job {
  id: string;
  status: string;
  batches_expected: number;
  batches_completed: number;
  pairs_total: number;
  pairs_processed: number;
  decision_counts: Record<string, number>;
  average_score: number | null;
  records_total: number;
}

interface MatchRow {
  left_record_id: string;
  right_record_id: string;
  score: number;
  decision: string;
  explanation: object;
}

/** A tenant as a user drives it: HTTP and nothing else. */
export class TenantClient {
  private constructor(
    readonly http: AxiosInstance,
    readonly tenantId: string,
  ) {}

  static async create(stack: Stack, name = 'Acme'): Promise<TenantClient> {
    const platform = { headers: { 'x-api-key': stack.platformKey } };
    const tenant = await axios.post<{ id: string }>(`${stack.url}/v1/tenants`, { name }, platform);
    const key = await axios.post<{ key: string }>(
      `${stack.url}/v1/api-keys`,
      { label: 'e2e' },
      {
        headers: { ...platform.headers, 'x-tenant-id': tenant.data.id },
      },
    );
    return new TenantClient(
      axios.create({ baseURL: stack.url, headers: { 'x-api-key': key.data.key } }),
      tenant.data.id,
    );
  }

  async bulk(
    dataset: string,
    rows: readonly { externalId?: string; body: object }[],
    headers: Record<string, string> = {},
  ): Promise<{ accepted: number; rejected: number }> {
    const { data } = await this.http.post<{ accepted: number; rejected: number }>(
      '/v1/records/bulk',
      rows.map((r) => JSON.stringify(r)).join('\n'),
      {
        params: { dataset },
        headers: { 'content-type': 'application/x-ndjson', ...headers },
      },
    );
    return data;
  }

  async total(dataset: string, status?: string): Promise<number> {
    const { data } = await this.http.get<{ total: number }>('/v1/records', {
      params: { dataset, limit: 1, ...(status ? { status } : {}) },
    });
    return data.total;
  }

  /** Resolves when all records of a dataset are normalised. */
  async settled(dataset: string, count: number): Promise<void> {
    await eventually(`${count} records of ${dataset} ready`, async () =>
      (await this.total(dataset, 'ready')) === count ? true : undefined,
    );
  }

  async datasetId(name: string): Promise<string> {
    const { data } = await this.http.get<{ items: { id: string; name: string }[] }>('/v1/datasets', {
      params: { limit: 100 },
    });
    const found = data.items.find((d) => d.name === name);
    if (!found) throw new Error(`no dataset ${name}`);
    return found.id;
  }

  async ruleSet(left: string, right: string, definition: object): Promise<string> {
    const { data } = await this.http.post<{ id: string }>('/v1/rule-sets', {
      name: `${left} against ${right}`,
      leftDatasetId: await this.datasetId(left),
      rightDatasetId: await this.datasetId(right),
      ...definition,
    });
    return data.id;
  }

  async startJob(dataset: string): Promise<string> {
    return (await this.served(() => this.http.post<{ id: string }>('/v1/matching-jobs', { dataset }))).id;
  }

  async job(id: string): Promise<Job> {
    return this.served(() => this.http.get<Job>(`/v1/matching-jobs/${id}`));
  }

  /** Sends a request again for as long as the service is too busy for it. */
  private served<T>(send: () => Promise<AxiosResponse<T>>): Promise<T> {
    return eventually('the service has room', async () => {
      try {
        return (await send()).data;
      } catch (error) {
        if (axios.isAxiosError(error) && error.response?.status === 503) return undefined;
        throw error;
      }
    });
  }

  /** Resolves with the job once `state` holds. */
  async jobWhen(id: string, what: string, state: (job: Job) => boolean): Promise<Job> {
    return eventually(`job ${what}`, async () => {
      const job = await this.job(id);
      return state(job) ? job : undefined;
    });
  }

  async ended(id: string): Promise<Job> {
    return this.jobWhen(id, 'ended', (job) => ['completed', 'failed', 'cancelled'].includes(job.status));
  }

  /** The result of a job without ids and times: by external ids, sorted. */
  async result(
    jobId: string,
    left: string,
    right: string,
  ): Promise<[pair: string, score: number, decision: string, explanation: object][]> {
    const names = new Map([...(await this.externalIds(left)), ...(await this.externalIds(right))]);
    const matches = await this.all<MatchRow>('/v1/matches', { matchingJobId: jobId });
    return matches
      .map((m): [string, number, string, object] => [
        `${names.get(m.left_record_id)}|${names.get(m.right_record_id)}`,
        m.score,
        m.decision,
        m.explanation,
      ])
      .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  }

  async externalIds(dataset: string): Promise<Map<string, string>> {
    const records = await this.all<{ id: string; external_id: string }>('/v1/records', { dataset });
    return new Map(records.map((r) => [r.id, r.external_id]));
  }

  private async all<T>(path: string, params: object): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | null = null;
    do {
      const { data }: { data: { items: T[]; next_cursor: string | null } } = await this.http.get(path, {
        params: { ...params, limit: 100, ...(cursor === null ? {} : { cursor }) },
      });
      items.push(...data.items);
      cursor = data.next_cursor;
    } while (cursor !== null);
    return items;
  }
}
