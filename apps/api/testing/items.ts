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

/** An event that webhooks receive. */
export interface ReceivedEvent {
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

/** Drives the items of one tenant. */
export interface TestItems {
  create(user: string, parameters?: Record<string, string>): Promise<ItemBody>;
  read(id: string): Promise<ItemBody>;
  /** Resolves with the item once it has this status. */
  reached(id: string, status: string): Promise<ItemBody>;
  /** Collects new data; resolves when that is done. */
  refresh(id: string): Promise<void>;
  /** All events of an item, in their order. Some webhook has to subscribe to them. */
  eventsOf(id: string): Promise<ReceivedEvent[]>;
  /** The events of the item itself: `ITEM_ERROR LOGIN_ERROR INVALID_CREDENTIALS`. */
  story(id: string): Promise<string[]>;
  /** Makes scheduled steps due and timeouts expire now; with a status, only while the item has it. */
  passTime(id: string, status?: string): Promise<void>;
}

export function itemsOf({ service: { deps } }: TestApi, { api, tenantId }: TestTenant): TestItems {
  const read = async (id: string): Promise<ItemBody> => (await api.get(`/v1/items/${id}`).expect(200)).body as ItemBody;
  const eventsOf = async (id: string): Promise<ReceivedEvent[]> => {
    const rows = await deps.db.system.query<{ body: string }>('select body from events where tenant_id = $1::uuid', [
      tenantId,
    ]);
    const events = rows.map(({ body }) => JSON.parse(body) as ReceivedEvent).filter(({ data }) => data.itemId === id);
    return events.sort((a, b) => a.data.sequence - b.data.sequence);
  };
  return {
    read,
    eventsOf,
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
      (await eventsOf(id))
        .filter(({ event }) => event.startsWith('ITEM_'))
        .map(({ event, data }) => [event, data.status, data.error?.code].filter(Boolean).join(' ')),
    passTime: async (id, status) => {
      await deps.db.system.execute(
        `update items set due_at = now(), revision = revision + 1,
                waits_until = case when waits_until is not null then now() end
          where id = $1::uuid and due_at is not null and ($2::text is null or status = $2)`,
        [id, status ?? null],
      );
      await sweepItems(deps, createKnownKeys(createCipher(testSecretsKey), parametersPurpose, deps.logger));
    },
  };
}
