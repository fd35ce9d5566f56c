import type { JobBody } from './reconciliation';
import type { ReconciledBooks } from './open-books';
import type { TestApi } from './test-api';

/** Starts a run, and leaves it in the queue. */
export async function startRunOf(own: ReconciledBooks): Promise<JobBody> {
  return (await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, {}).expect(202)).body as JobBody;
}

/** Runs a reconciliation. */
export async function runOf(api: TestApi, own: ReconciledBooks): Promise<JobBody> {
  const { id } = await startRunOf(own);
  await api.runMatching();
  return own.job(id);
}

export interface GroupBody {
  id: string;
  origin: string;
  kind: string;
  difference: number | null;
  left: { external_id: string }[];
  right: { external_id: string }[];
}

/** Lists the held groups. */
export async function heldGroups(own: ReconciledBooks, query = ''): Promise<GroupBody[]> {
  const { body } = await own.tenant.api
    .get(`/v1/match-groups?reconciliationId=${own.id}&status=held&limit=100&${query}`)
    .expect(200);
  return (body as { items: GroupBody[] }).items;
}

/** Gives the external ids of each held group. */
export const tiedBy = async (own: ReconciledBooks, query = ''): Promise<string[]> =>
  (await heldGroups(own, query))
    .map(({ left, right }) => [...left, ...right].map((one) => one.external_id).join(' '))
    .sort();
