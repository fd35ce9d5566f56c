import type { Side } from '@tieout/engine';
import { invalid, newId } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { Actor, TenantScope } from '../../kernel/scope';
import { sideNames, sideNumber, type SideNumber } from '../../results/unmatched';
import { decimalOf, exactUnitsOf, isExactAmount } from '../amounts';
import { getReconciliation, shareReconciliation, type Reconciliation } from '../definition';

/** A balance of a request. Without an amount the day has none any more. */
export interface NewBalance {
  side: Side;
  /** YYYY-MM-DD */
  date: string;
  amount: number | string | null;
  currency?: string | null | undefined;
}

/** The amount that a side, or an account of it, had at the end of a day. */
export interface SideBalance {
  id: string;
  side: Side;
  /** YYYY-MM-DD */
  date: string;
  currency: string | null;
  /** Decimal text. */
  amount: string;
  /** null for a balance that a user or key entered. */
  datasetId: string | null;
  fileId: string | null;
  account: string | null;
  by: Actor;
  validFrom: Date;
  /** When another balance replaced it; null: it is current. */
  validTo: Date | null;
}

type BalanceRow = Omit<SideBalance, 'side'> & { side: SideNumber };

const toBalance = ({ side, ...row }: BalanceRow): SideBalance => ({ ...row, side: sideNames[side] });

/** SQL for the balances of the reconciliation `$2` and of its datasets. */
const balancesSql = `
  select b.id, b.side, b.day, b.currency, b.amount, b.dataset_id, b.file_id, b.account, b.stated_by, b.valid_from,
         b.valid_to
    from balances b where b.tenant_id = $1::uuid and b.reconciliation_id = $2::uuid
  union all
  select b.id, d.side, b.day, b.currency, b.amount, b.dataset_id, b.file_id, b.account, b.stated_by, b.valid_from,
         b.valid_to
    from reconciliation_datasets d join balances b on b.tenant_id = d.tenant_id and b.dataset_id = d.dataset_id
   where d.tenant_id = $1::uuid and d.reconciliation_id = $2::uuid`;

const columns = `b.id::text as id, b.side::int as side, b.day::text as date, b.currency, b.amount::text as amount,
  b.dataset_id::text as "datasetId", b.file_id::text as "fileId", b.account, b.stated_by as by,
  b.valid_from as "validFrom", b.valid_to as "validTo"`;

/**
 * States the balance of a side at the end of a day, in place of the one that was stated before.
 * @throws AppError reconciliation_not_found, validation_error
 */
export async function stateBalance(
  scope: TenantScope,
  reconciliationId: string,
  { side, date, amount, currency = null }: NewBalance,
): Promise<SideBalance | null> {
  return scope.transaction(async (s) => {
    const { keys } = await shareReconciliation(s, reconciliationId);
    if (keys.left.amount === null) {
      throw invalid([{ path: '/amount', code: 'no_amounts', message: 'cannot be given: there are no amounts' }]);
    }
    if (currency !== null && keys.left.currency === null) {
      const message = 'must be left out: the reconciliation has no currency keys';
      throw invalid([{ path: '/currency', code: 'no_currencies', message }]);
    }
    const units = amount === null ? null : exactUnitsOf(amount);
    if (amount !== null && units === null) {
      throw invalid([{ path: '/amount', code: 'amount', message: isExactAmount }]);
    }
    await s.db.execute(`select pg_advisory_xact_lock(hashtextextended('balances of ' || $1::text, 0))`, [
      reconciliationId,
    ]);
    const [before] = await s.db.query<{ amount: string }>(
      `update balances set valid_to = clock_timestamp()
        where tenant_id = $1::uuid and reconciliation_id = $2::uuid and side = $3::smallint and day = $4::date
          and currency is not distinct from $5 and valid_to is null
        returning amount::text as amount`,
      [s.tenantId, reconciliationId, sideNumber[side], date, currency],
    );
    const id = newId();
    if (units !== null) {
      await s.db.execute(
        `insert into balances (tenant_id, id, reconciliation_id, side, day, currency, amount, stated_by)
         values ($1::uuid, $2::uuid, $3::uuid, $4::smallint, $5::date, $6, $7::numeric, $8::jsonb)`,
        [
          s.tenantId,
          id,
          reconciliationId,
          sideNumber[side],
          date,
          currency,
          decimalOf(units),
          JSON.stringify(s.origin.actor),
        ],
      );
    }
    const of = { side, date, currency };
    await recordAudit(s, {
      action: 'balance.state',
      object: { type: 'reconciliation', id: reconciliationId },
      before: before ? { ...of, amount: before.amount } : null,
      after: units === null ? null : { ...of, amount: decimalOf(units) },
    });
    const [stated] = await readBalances(s, reconciliationId, 'where b.id = $3::uuid', [id]);
    return stated ?? null;
  });
}

async function readBalances(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  rest: string,
  parameters: readonly (string | number | null)[],
): Promise<SideBalance[]> {
  const rows = await db.query<BalanceRow>(`select ${columns} from (${balancesSql}) b ${rest}`, [
    tenantId,
    reconciliationId,
    ...parameters,
  ]);
  return rows.map(toBalance);
}

export interface BalanceFilter {
  side?: Side | undefined;
  /** YYYY-MM-DD, both inclusive. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** true: lists replaced balances too. */
  replaced?: boolean | undefined;
}

/** Lists balances, the latest day first. @throws AppError reconciliation_not_found */
export async function listBalances(
  scope: TenantScope,
  reconciliationId: string,
  { filter, page }: { filter: BalanceFilter; page: KeysetRequest },
): Promise<KeysetPage<SideBalance>> {
  await getReconciliation(scope, reconciliationId);
  const [date, id] = page.cursor === undefined ? [null, null] : decodeKeyset(page.cursor, ['day', 'id']);
  const items = await readBalances(
    scope,
    reconciliationId,
    `where ($3::int is null or b.side = $3::int) and ($4::date is null or b.day >= $4::date)
       and ($5::date is null or b.day <= $5::date) and ($6::text = 'true' or b.valid_to is null)
       and ($7::date is null or (b.day, b.id) < ($7::date, $8::uuid))
     order by b.day desc, b.id desc limit ${page.limit + 1}`,
    [
      filter.side === undefined ? null : sideNumber[filter.side],
      filter.dateFrom ?? null,
      filter.dateTo ?? null,
      String(filter.replaced === true),
      date ?? null,
      id ?? null,
    ],
  );
  return keysetPage(page, items, { total: null, sortOf: (item) => [item.date, item.id] });
}

/** The balance of a side in one currency at the end of a day; its own day may be an earlier one. */
export interface BalanceOfSide {
  side: Side;
  currency: string | null;
  date: string;
  amount: string;
}

/**
 * Reads the balances of both sides at the end of a day, as they were known: what somebody gave for a side, or the sum
 * of its accounts, whichever is of a later day.
 * @param at ISO 8601; null: now
 */
export async function balancesAt(
  { db, tenantId }: TenantScope,
  { id, keys }: Pick<Reconciliation, 'id' | 'keys'>,
  { at, day }: { at: string | null; day: string },
): Promise<BalanceOfSide[]> {
  const hasCurrencies = keys.left.currency !== null;
  const rows = await db.query<Omit<BalanceOfSide, 'side'> & { side: SideNumber; kinds: number }>(
    `with standing as (${knownBalancesSql}), latest as (
       select distinct on (side, dataset_id, account, currency) side, dataset_id, currency, day, amount from standing
        where day <= $4::date order by side, dataset_id, account, currency, day desc, valid_from desc, id desc
     ), sums as (
       select side, case when $5::text = 'true' then currency end as currency, dataset_id is null as is_given,
              max(day) as day, sum(amount) as amount, count(distinct coalesce(currency, ''))::int as kinds
         from latest group by 1, 2, 3
     )
     select distinct on (side, currency) side::int as side, currency, day::text as date,
            amount::numeric(30, 4)::text as amount, kinds
       from sums order by side, currency, day desc, is_given desc`,
    [tenantId, id, at, day, String(hasCurrencies)],
  );
  // Without currency keys, accounts of several currencies have no sum.
  return rows
    .filter(({ kinds }) => kinds === 1)
    .map(({ side, currency, date, amount }) => ({ side: sideNames[side], currency, date, amount }));
}

/** SQL for the balances that were known at the moment `$3`, or are now. */
const knownBalancesSql = `select b.* from (${balancesSql}) b
  where case when $3::timestamptz is null then b.valid_to is null
             else b.valid_from <= $3::timestamptz and (b.valid_to is null or b.valid_to > $3::timestamptz) end`;

/** Returns the latest day, up to one, of which both sides have a balance in the same currency; null without one. */
export async function provableDay(
  { db, tenantId }: TenantScope,
  { id, keys }: Pick<Reconciliation, 'id' | 'keys'>,
  { at, upTo }: { at: string | null; upTo: string },
): Promise<string | null> {
  const [row] = await db.query<{ day: string | null }>(
    `with standing as (${knownBalancesSql})
     select max(l.day)::text as day from standing l
       join standing r on r.side = 1 and r.day = l.day
        and ($5::text = 'false' or r.currency is not distinct from l.currency)
      where l.side = 0 and l.day <= $4::date`,
    [tenantId, id, at, upTo, String(keys.left.currency !== null)],
  );
  return row?.day ?? null;
}
