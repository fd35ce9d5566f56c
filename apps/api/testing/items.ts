import { parametersPurpose, sweepItems } from '@tieout/domain';
import { createCipher, createKnownKeys } from '@tieout/infra';
import { testSecretsKey } from '@tieout/testing';
import { eventually } from './reconciliation';
import type { TestApi, TestTenant } from './test-api';

export interface ItemBody {
  id: string;
  status: string;
  execution_status: string;
  error: { code: string; message: string } | null;
  parameter: { name: string } | null;
  user_action: { type: string } | null;
  next_sync_at: string | null;
  last_updated_at: string | null;
}

/** What receivers are told. */
export interface Told {
  event: string;
  data: {
    itemId: string;
    sequence: number;
    status?: string;
    accountId?: string;
    transactionIds?: string[];
    error?: { code: string };
  };
}

/** One tenant's items, as a test drives them. */
export interface TestItems {
  create(user: string, parameters?: Record<string, string>): Promise<ItemBody>;
  read(id: string): Promise<ItemBody>;
  /** Resolves with the item once it has this status. */
  reached(id: string, status: string): Promise<ItemBody>;
  /** Collects what is new; resolves when that is done. */
  refresh(id: string): Promise<void>;
  /** All events of an item, in their order. A webhook has to want them. */
  told(id: string): Promise<Told[]>;
  /** Those of the item itself: `ITEM_ERROR LOGIN_ERROR INVALID_CREDENTIALS`. */
  story(id: string): Promise<string[]>;
  /** Has what is scheduled, or waited for, come now; only while the item has this status, if one is given. */
  passTime(id: string, status?: string): Promise<void>;
}

export function itemsOf({ service: { deps } }: TestApi, { api, tenantId }: TestTenant): TestItems {
  const read = async (id: string): Promise<ItemBody> => (await api.get(`/v1/items/${id}`).expect(200)).body as ItemBody;
  const told = async (id: string): Promise<Told[]> => {
    const rows = await deps.db.system.query<{ body: string }>('select body from events where tenant_id = $1::uuid', [
      tenantId,
    ]);
    const events = rows.map(({ body }) => JSON.parse(body) as Told).filter(({ data }) => data.itemId === id);
    return events.sort((a, b) => a.data.sequence - b.data.sequence);
  };
  return {
    read,
    told,
    create: async (user, parameters = {}) => {
      const { body } = await api
        .post('/v1/items', { connectorId: 'sandbox', parameters: { user, password: 'any', ...parameters } })
        .expect(201);
      return body as ItemBody;
    },
    reached: (id, status) =>
      eventually(
        () => read(id),
        (item) => item.status === status,
      ),
    refresh: async (id) => {
      const before = await read(id);
      await api.patch(`/v1/items/${id}`, {}).expect(200);
      await eventually(
        () => read(id),
        (item) => item.last_updated_at !== before.last_updated_at,
      );
    },
    story: async (id) =>
      (await told(id))
        .filter(({ event }) => event.startsWith('ITEM_'))
        .map(({ event, data }) => [event, data.status, data.error?.code].filter(Boolean).join(' ')),
    passTime: async (id, status) => {
      await deps.db.system.execute(
        `update items set due_at = now(), revision = revision + 1, waits_until = case when waits_until is not null then now() end
          where id = $1::uuid and due_at is not null and ($2::text is null or status = $2)`,
        [id, status ?? null],
      );
      await sweepItems(deps, createKnownKeys(createCipher(testSecretsKey), parametersPurpose, deps.logger));
    },
  };
}
