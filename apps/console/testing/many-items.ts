import type { ReconciledBooks } from '../../api/testing/open-books';
import type { TestApi } from '../../api/testing/test-api';

/** An id in the order of `i`: a UUID v7 of a moment before today. */
const idSql = (side: number): string =>
  `(lpad(to_hex(1700000000000 + i), 12, '0') || '70${side}08' || substr(md5($2::text || i), 1, 15))::uuid`;

/**
 * Adds open items to a side of a reconciliation, as the product would, but without its triggers: they would take
 * minutes. Item `i` of the left has the amount and the day of item `i` of the right.
 */
export async function addManyItems(api: TestApi, own: ReconciledBooks, side: 'left' | 'right', count: number) {
  const number = side === 'left' ? 0 : 1;
  const dataset = side === 'left' ? own.leftId : own.rightId;
  const values = [own.tenant.tenantId, own.id, dataset, count];
  const amount = `10 + (i * 7919 % 10000000) / 100.0`;
  const day = `date '2024-01-01' + (i * 31 % 700)::int`;
  await api.service.deps.db.system.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.query(
      `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
       select ${idSql(number)}, $1::uuid, $3::uuid, '${side}-' || i,
              jsonb_build_object('amount', ${amount}, 'date', ${day}, 'ref', 'INV-' || i,
                                 'name', 'Company ' || i % 9973, 'memo', 'Payment of invoice ' || i), '{}', 'ready'
         from generate_series(1, $4::bigint) i where $2::uuid is not null`,
      values,
    );
    await tx.query(
      `insert into reconciliation_items
         (tenant_id, reconciliation_id, record_id, dataset_id, side, external_id, revision, amount, day, held, holds,
          open, search)
       select $1::uuid, $2::uuid, ${idSql(number)}, $3::uuid, ${number}, '${side}-' || i, 1, ${amount}, ${day}, 0, 0,
              true, to_tsvector('simple', concat_ws(' ', '${side}-' || i, 'INV-' || i, 'Company ' || i % 9973))
         from generate_series(1, $4::bigint) i`,
      values,
    );
    await tx.query(
      `insert into reconciliation_totals
         (tenant_id, reconciliation_id, side, state, day, count, amount, held, folded)
       select $1::uuid, $2::uuid, ${number}, 'open', ${day}, count(*), sum(${amount}), 0, false
         from generate_series(1, $4::bigint) i where $3::uuid is not null group by ${day}`,
      values,
    );
  });
  await api.service.deps.db.system.query('analyze records, reconciliation_items');
}
