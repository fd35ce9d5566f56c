import { setTimeout as sleep } from 'node:timers/promises';

/** Amount and date tie a record of the books to its counterpart; the reference raises the score. */
export const booksRuleSet = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.6,
    assignment: 'one_to_one',
    matchers: [
      { id: 'amount', expr: 'left.amount = right.amount', weight: 0.5 },
      { id: 'date', expr: '$abs($toMillis(left.date) - $toMillis(right.date)) <= 3 * 86400000', weight: 0.3 },
      { id: 'reference', expr: '$contains(right.text, left.number)', weight: 0.2 },
    ],
    blocking: { amountKey: 'amount', amountBucketSize: 1, dateKey: 'date', dateToleranceDays: 3 },
  },
};

/** The values of record `i` of a side: the same as the SQL of `seedItems` writes. */
const bodyOf = (side, i) => ({
  amount: 10 + ((i * 7919) % 10_000_000) / 100,
  date: new Date(Date.UTC(2024, 0, 1) + ((i * 31) % 700) * 86_400_000).toISOString().slice(0, 10),
  ...(side === 'left'
    ? { number: `INV-${i}`, name: `Company ${i % 9973}` }
    : { text: `TRANSFER INV-${i}`, name: `COMPANY ${i % 9973}` }),
});

const pollMs = 20;

/** Creates a reconciliation over two new, empty datasets. */
export async function createBooks({ client }, name) {
  const dataset = async (side) => {
    const { id } = await client.post('/v1/datasets', { name: `${name}-${side}` });
    return { id, name: `${name}-${side}` };
  };
  const [left, right] = [await dataset('left'), await dataset('right')];
  const { id: ruleSetId } = await client.post('/v1/rule-sets', {
    name,
    leftDatasetId: left.id,
    rightDatasetId: right.id,
    ...booksRuleSet,
  });
  const { id } = await client.post('/v1/reconciliations', {
    name,
    leftDatasetIds: [left.id],
    rightDatasetIds: [right.id],
    ruleSetIds: [ruleSetId],
  });
  const books = { id, left, right, ruleSetId };
  await filled(client, id);
  return books;
}

/** Waits until all records are items. */
export async function filled(client, id) {
  while ((await client.get(`/v1/reconciliations/${id}`)).status === 'filling') await sleep(pollMs);
}

/** Adds records `from` to `from + count` to both sides through the API, and waits until all are open items. */
export async function arrive({ client, database }, { id, left, right }, { from, count }) {
  for (const [side, { name }] of Object.entries({ left, right })) {
    const lines = Array.from({ length: count }, (_, i) =>
      JSON.stringify({ externalId: `${side}-${from + i}`, body: bodyOf(side, from + i) }),
    );
    await client.post('/v1/records/bulk', lines.join('\n'), {
      params: { dataset: name },
      headers: { 'content-type': 'application/x-ndjson' },
    });
  }
  const open = async () =>
    (
      await database.query(
        `select count(*)::int as n from records r
           join reconciliation_items i on i.record_id = r.id and i.reconciliation_id = $1 and i.open
          where r.dataset_id = any($2) and r.external_id = any($3)`,
        [
          id,
          [left.id, right.id],
          Array.from({ length: count }, (_, i) => [`left-${from + i}`, `right-${from + i}`]).flat(),
        ],
      )
    ).rows[0].n;
  while ((await open()) < 2 * count) await sleep(pollMs);
}

const amountSql = '10 + (i * 7919 % 10000000) / 100.0';
const daySql = `date '2024-01-01' + (i * 31 % 700)::int`;

/** Id `i` of a kind, in the order of `i`: a UUID v7 of a moment before today. */
const idSql = (kind) =>
  `(lpad(to_hex(1700000000000 + i), 12, '0') || '7${kind}8' || substr(md5($2::uuid::text || i), 1, 15))::uuid`;

/**
 * Inserts items `from` to `to`, and holds each left one with its right one if asked to, as the product would, but
 * without its triggers: they would take minutes.
 *
 * @param {{ database: import('pg').Client, tenantId: string }} service @param {object} books
 * @param {{ from: number, to: number, held: boolean }} range
 */
export async function seedItems({ database, tenantId }, books, { from, to, held }) {
  const sides = [books.left, books.right];
  await database.query(`begin; set local session_replication_role = replica; set local synchronous_commit = off`);
  for (const [side, { id: datasetId }] of sides.entries()) {
    const key = side === 0 ? 'left' : 'right';
    const own =
      side === 0
        ? `'number', 'INV-' || i, 'name', 'Company ' || i % 9973`
        : `'text', 'TRANSFER INV-' || i, 'name', 'COMPANY ' || i % 9973`;
    const values = [tenantId, books.id, datasetId, from, to - 1];
    await database.query(
      `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
       select ${idSql(`0${side}0`)}, $1, $3, '${key}-' || i,
              jsonb_build_object('amount', ${amountSql}, 'date', ${daySql}, ${own}), '{}', 'ready'
         from generate_series($4::bigint, $5::bigint) i where $2::uuid is not null`,
      values,
    );
    await database.query(
      `insert into reconciliation_items
         (tenant_id, reconciliation_id, record_id, dataset_id, side, external_id, revision, amount, day, held, holds,
          open, search)
       select $1, $2::uuid, ${idSql(`0${side}0`)}, $3, ${side}, '${key}-' || i, 1, v.amount, v.day,
              ${held ? 'v.amount, 1, false' : '0, 0, true'},
              to_tsvector('simple',
                concat_ws(' ', '${key}-' || i, v.amount, 'INV-' || i, 'Company ' || i % 9973))
         from generate_series($4::bigint, $5::bigint) i,
              lateral (select ${amountSql} as amount, ${daySql} as day) v`,
      values,
    );
  }
  if (held) await seedGroups({ database, tenantId }, books, { from, to });
  await database.query(`delete from reconciliation_totals where reconciliation_id = $1 and side is not null`, [
    books.id,
  ]);
  await database.query(
    `insert into reconciliation_totals (tenant_id, reconciliation_id, side, state, day, count, amount, held, folded)
     select tenant_id, reconciliation_id, side, case when open then 'open' else 'held' end, day, count(*), sum(amount),
            sum(held), true
       from reconciliation_items where reconciliation_id = $1 group by 1, 2, 3, 4, 5`,
    [books.id],
  );
  await database.query('commit');
  await database.query('vacuum analyze records, reconciliation_items, match_groups, match_group_members');
}

async function seedGroups({ database, tenantId }, books, { from, to }) {
  const values = [tenantId, books.id, from, to - 1];
  const series = `generate_series($3::bigint, $4::bigint) i,
    lateral (select ${amountSql} as amount, ${daySql} as day) v`;
  await database.query(
    `insert into match_groups
       (tenant_id, id, reconciliation_id, origin, kind, left_amount, right_amount, difference, score, set_hash, period,
        held_by)
     select $1, ${idSql('020')}, $2::uuid, 'auto', 'pair', v.amount, v.amount, 0, 1, sha256(i::text::bytea),
            to_char(v.day, 'YYYY-MM'), '{"type": "job", "id": null, "label": null}'
       from ${series}`,
    values,
  );
  for (const [side, key] of ['left', 'right'].entries()) {
    await database.query(
      `insert into match_group_members
         (tenant_id, group_id, reconciliation_id, position, record_id, side, external_id, revision, amount,
          record_amount, day)
       select $1, ${idSql('020')}, $2::uuid, ${side}, ${idSql(`0${side}0`)}, ${side}, '${key}-' || i, 1, v.amount,
              v.amount, v.day
         from ${series}`,
      values,
    );
  }
  await database.query(
    `insert into reconciliation_totals (tenant_id, reconciliation_id, state, count, amount, held, folded)
     values ($1, $2, 'auto', $4::bigint - $3::bigint + 1, 0, 0, true)`,
    values,
  );
  await database.query(`update reconciliations set held_once = true where id = $1`, [books.id]);
}
