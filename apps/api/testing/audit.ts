import type { TestTenant } from './test-api';

/** An entry of the audit. */
export interface EntryBody {
  seq: number;
  actor: { type: string; id: string | null; label: string | null };
  action: string;
  object: { type: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  request_id: string | null;
}

/** Reads all entries of a tenant, oldest first. */
export async function chainOf({ api: keyed }: Pick<TestTenant, 'api'>): Promise<EntryBody[]> {
  const { body } = await keyed.get('/v1/audit?limit=100').expect(200);
  return (body as { items: EntryBody[] }).items.reverse();
}

/** Runs a request and returns the entries that it has added. */
export async function entriesOf(
  tenant: Pick<TestTenant, 'api'>,
  request: () => PromiseLike<unknown>,
): Promise<EntryBody[]> {
  const { length } = await chainOf(tenant);
  await request();
  return (await chainOf(tenant)).slice(length);
}
