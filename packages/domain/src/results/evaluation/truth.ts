import { invalid } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';

/** Pairs that belong together, by external ids, or a dataset whose records name one each. */
export type Truth = readonly { left: string; right: string }[] | { dataset: string; left: string; right: string };

/** Max pairs that a dataset may name. */
const maxPairs = 200_000;

export interface KnownTruth {
  /** True pairs whose records exist. */
  pairs: { leftId: string; rightId: string }[];
  /** Pairs of which a record does not exist, and the first of them. */
  unknown: { count: number; first: string | null };
}

interface Sides {
  leftDatasetId: string;
  rightDatasetId: string;
}

/** Finds the records of the pairs, each pair once. */
export async function readTruth(scope: TenantScope, sides: Sides, truth: Truth): Promise<KnownTruth> {
  const named = 'dataset' in truth ? await namedBy(scope, truth) : truth;
  const rows = await scope.db.query<{ left: string; right: string; leftId: string | null; rightId: string | null }>(
    `select distinct t.left_name as left, t.right_name as right, l.id::text as "leftId", r.id::text as "rightId"
       from unnest($4::text[], $5::text[]) t (left_name, right_name)
       left join records l on l.tenant_id = $1::uuid and l.dataset_id = $2::uuid and l.external_id = t.left_name
       left join records r on r.tenant_id = $1::uuid and r.dataset_id = $3::uuid and r.external_id = t.right_name`,
    [
      scope.tenantId,
      sides.leftDatasetId,
      sides.rightDatasetId,
      named.map(({ left }) => left),
      named.map(({ right }) => right),
    ],
  );
  const pairs = new Map<string, { leftId: string; rightId: string }>();
  const unknown: KnownTruth['unknown'] = { count: 0, first: null };
  for (const { left, right, leftId, rightId } of rows) {
    if (leftId === null || rightId === null) {
      unknown.count++;
      unknown.first ??= `left ${JSON.stringify(left)}, right ${JSON.stringify(right)}`;
    } else pairs.set(pairKey(sides, leftId, rightId), { leftId, rightId });
  }
  return { pairs: [...pairs.values()], unknown };
}

/** Names a pair, which has no direction where a dataset is compared with itself. */
export const pairKey = ({ leftDatasetId, rightDatasetId }: Sides, leftId: string, rightId: string): string =>
  leftDatasetId === rightDatasetId && rightId < leftId ? `${rightId} ${leftId}` : `${leftId} ${rightId}`;

async function namedBy(
  { db, tenantId }: TenantScope,
  { dataset, left, right }: Extract<Truth, { dataset: string }>,
): Promise<{ left: string; right: string }[]> {
  const [found] = await db.query<{ id: string }>(
    `select id::text as id from datasets where tenant_id = $1::uuid and name = $2`,
    [tenantId, dataset],
  );
  if (!found) throw invalid([{ path: '/truth/dataset', code: 'unknown_dataset', message: 'names no dataset' }]);
  const rows = await db.query<{ left: string | null; right: string | null }>(
    `select coalesce(fields ->> $3::text, data ->> $3::text) as left,
            coalesce(fields ->> $4::text, data ->> $4::text) as right
       from records where tenant_id = $1::uuid and dataset_id = $2::uuid limit ${maxPairs + 1}`,
    [tenantId, found.id, left, right],
  );
  if (rows.length > maxPairs)
    throw invalid([
      {
        path: '/truth/dataset',
        code: 'too_many_pairs',
        message: `has more than ${maxPairs} records: name fewer pairs`,
      },
    ]);
  for (const key of ['left', 'right'] as const)
    if (!rows.some((row) => row[key] !== null))
      throw invalid([{ path: `/truth/${key}`, code: 'unknown_field', message: 'no record of the dataset has it' }]);
  return rows.flatMap((row) => (row.left === null || row.right === null ? [] : [{ left: row.left, right: row.right }]));
}
