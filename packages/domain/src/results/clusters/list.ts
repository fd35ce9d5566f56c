import { AppError, idBytes, readId } from '@tieout/infra';
import type { PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';

/** Records of a cluster that a list names. */
const maxNamed = 100;

export interface Cluster {
  ruleSetId: string;
  recordsTotal: number;
  /** The first records by id. */
  records: { recordId: string; externalId: string | null }[];
  /** The worst of the best links that hold the cluster together; null once its match is gone. */
  weakestLink: {
    matchId: string;
    leftRecordId: string;
    rightRecordId: string;
    score: number;
    reviewStatus: string | null;
  } | null;
}

interface BlockHead {
  entryId: string;
  ruleSetId: string;
  blockNo: number;
  clusters: number;
}

interface StoredCluster {
  ruleSetId: string;
  recordsTotal: number;
  recordIds: string[];
  link: { left: string; right: string };
}

/**
 * Lists the clusters of a completed job by rule set, the largest first.
 * @throws AppError matching_job_not_found; conflict where no rule set of the job compares a dataset with itself
 */
export async function listClusters(
  scope: TenantScope,
  jobId: string,
  { page, limit }: PageRequest,
): Promise<{ items: Cluster[]; total: number; page: number; limit: number }> {
  const { db, tenantId } = scope;
  const [job] = await db.query<{ comparesTwo: boolean; isRun: boolean }>(
    `select coalesce((select bool_and(e.left_dataset_id <> e.right_dataset_id) from job_rule_sets e
                       where e.tenant_id = $1::uuid and e.job_id = j.id), false) as "comparesTwo",
            j.reconciliation_id is not null as "isRun"
       from matching_jobs j where j.tenant_id = $1::uuid and j.id = $2::uuid`,
    [tenantId, jobId],
  );
  if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
  if (job.isRun)
    throw new AppError('conflict', 'A run has match groups in place of clusters: see GET /v1/match-groups');
  if (job.comparesTwo) {
    const mend = 'start a job of a rule set with the same leftDatasetId and rightDatasetId';
    throw new AppError('conflict', `The rule sets of the job compare two datasets, and clusters are of one: ${mend}`);
  }
  const heads = await db.query<BlockHead>(
    `select b.entry_id::text as "entryId", e.rule_set_id::text as "ruleSetId", b.block_no as "blockNo", b.clusters
       from cluster_blocks b join job_rule_sets e on e.id = b.entry_id
      where b.tenant_id = $1::uuid and e.tenant_id = $1::uuid and e.job_id = $2::uuid
      order by e.position, b.block_no`,
    [tenantId, jobId],
  );
  const stored: StoredCluster[] = [];
  let toSkip = (page - 1) * limit;
  for (const head of heads) {
    if (stored.length === limit) break;
    if (toSkip < head.clusters) stored.push(...(await readBlock(scope, head, toSkip, limit - stored.length)));
    toSkip = Math.max(0, toSkip - head.clusters);
  }
  const total = heads.reduce((sum, { clusters }) => sum + clusters, 0);
  return { items: await present(scope, jobId, stored), total, page, limit };
}

async function readBlock(
  { db, tenantId }: TenantScope,
  { entryId, blockNo, ruleSetId }: BlockHead,
  skip: number,
  take: number,
): Promise<StoredCluster[]> {
  const [block] = await db.query<Record<'ends' | 'ids' | 'links', Uint8Array>>(
    `select ends, ids, links from cluster_blocks
      where tenant_id = $1::uuid and entry_id = $2::uuid and block_no = $3::int`,
    [tenantId, entryId, blockNo],
  );
  if (!block) return [];
  const [ends, ids, links] = [Buffer.from(block.ends), Buffer.from(block.ids), Buffer.from(block.links)];
  const endOf = (cluster: number): number => (cluster < 0 ? 0 : ends.readUInt32LE(cluster * 4));
  const found: StoredCluster[] = [];
  for (let at = skip; at < ends.length / 4 && found.length < take; at++) {
    const from = endOf(at - 1);
    const recordsTotal = endOf(at) - from;
    const named = Math.min(recordsTotal, maxNamed);
    found.push({
      ruleSetId,
      recordsTotal,
      recordIds: Array.from({ length: named }, (_, place) => readId(ids, (from + place) * idBytes)),
      link: { left: readId(links, at * 2 * idBytes), right: readId(links, (at * 2 + 1) * idBytes) },
    });
  }
  return found;
}

async function present(
  { db, tenantId }: TenantScope,
  jobId: string,
  stored: readonly StoredCluster[],
): Promise<Cluster[]> {
  const records = await db.query<{ id: string; externalId: string | null }>(
    `select id::text as id, external_id as "externalId" from records
      where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tenantId, stored.flatMap(({ recordIds }) => recordIds)],
  );
  const externalIds = new Map(records.map(({ id, externalId }) => [id, externalId]));
  const links = await linksOf(db, { tenantId, jobId }, stored);
  return stored.map(({ ruleSetId, recordsTotal, recordIds }, at) => {
    const kept = recordIds.filter((id) => externalIds.has(id));
    return {
      ruleSetId,
      recordsTotal: recordsTotal - (recordIds.length - kept.length),
      records: kept.map((recordId) => ({ recordId, externalId: externalIds.get(recordId) ?? null })),
      weakestLink: links.get(at) ?? null,
    };
  });
}

/** Finds the matches that are the weakest links: matches of the job, or pairs that people confirmed before it. */
async function linksOf(
  db: TenantScope['db'],
  { tenantId, jobId }: { tenantId: string; jobId: string },
  stored: readonly StoredCluster[],
): Promise<Map<number, NonNullable<Cluster['weakestLink']>>> {
  const rows = await db.query<NonNullable<Cluster['weakestLink']> & { at: number }>(
    `select distinct on (l.no) (l.no - 1)::int as at, m.id::text as "matchId",
            m.left_record_id::text as "leftRecordId", m.right_record_id::text as "rightRecordId", m.score,
            m.review_status as "reviewStatus"
       from unnest($3::uuid[], $4::uuid[], $5::uuid[]) with ordinality l (left_id, right_id, rule_set_id, no)
       join matches m on m.left_record_id = l.left_id and m.right_record_id = l.right_id
      where m.tenant_id = $1::uuid and m.rule_set_id = l.rule_set_id
        and (m.job_id = $2::uuid or m.review_status = 'confirmed')
      order by l.no, m.job_id = $2::uuid desc, m.id`,
    [
      tenantId,
      jobId,
      stored.map(({ link }) => link.left),
      stored.map(({ link }) => link.right),
      stored.map(({ ruleSetId }) => ruleSetId),
    ],
  );
  return new Map(rows.map(({ at, ...link }) => [at, link]));
}
