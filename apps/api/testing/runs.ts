import { createMatchingHandlers } from '@tieout/domain';
import type { JobBody } from './reconciliation';
import type { ReconciledBooks } from './open-books';
import type { TestApi } from './test-api';

/** Starts a run, and leaves it in the queue. */
export async function startRunOf(own: ReconciledBooks, body: object = {}): Promise<JobBody> {
  return (await own.tenant.api.post(`/v1/reconciliations/${own.id}/runs`, body).expect(202)).body as JobBody;
}

/** Runs a reconciliation. */
export async function runOf(api: TestApi, own: ReconciledBooks, body: object = {}): Promise<JobBody> {
  const { id } = await startRunOf(own, body);
  await api.runMatching();
  return own.job(id);
}

export interface GroupBody {
  id: string;
  origin: string;
  kind: string;
  period: string | null;
  stale: boolean;
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

/** Changes that others make between the steps of a run. */
interface Meanwhile {
  body?: object;
  /** After the plan has read the items. */
  planned?: () => Promise<unknown>;
  /** After all pairs are compared, before the finish. */
  compared?: () => Promise<unknown>;
  /** Runs instead of the finish; `finish` does it. */
  finishing?: (finish: () => Promise<void>) => Promise<unknown>;
}

/** Runs a reconciliation step by step in this process. */
export async function runWith(api: TestApi, own: ReconciledBooks, at: Meanwhile): Promise<JobBody> {
  await api.stopMatching();
  const { id: jobId } = await startRunOf(own, at.body);
  const { deps } = api.service;
  const { tenantId } = own.tenant;
  const handlers = createMatchingHandlers(deps);
  await handlers['matching.plan']({ tenantId, jobId });
  await at.planned?.();
  const batches = await deps.db.system.query<{ entryId: string; batchNo: number }>(
    `select entry_id::text as "entryId", batch_no as "batchNo" from job_batches where job_id = $1::uuid`,
    [jobId],
  );
  for (const batch of batches) await handlers['matching.batch']({ tenantId, jobId, ...batch });
  await at.compared?.();
  const finish = (): Promise<void> => handlers['matching.finish']({ tenantId, jobId });
  await (at.finishing ? at.finishing(finish) : finish());
  return own.job(jobId);
}
