import { sweepChangedItems } from '@tieout/domain';
import { startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { heldGroups, runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const months = ['2026-01', '2026-02', '2026-03'] as const;
const ends = { '2026-01': '2026-01-31', '2026-02': '2026-02-28', '2026-03': '2026-03-31' };

/** The items of a month as they are counted one by one: what groups of later months hold is not held. */
const itemsOfMonth = `
  select k.side, k.external_id as name, k.amount, k.held,
         case when k.excluded then 'excluded'
              when k.ready and case when coalesce(k.amount, 0) = 0 then k.holds = 0 else k.held <> k.amount end
              then 'open' else 'held' end as state
    from (select i.side, i.external_id, i.amount, i.ready, i.excluded is not null as excluded,
                 i.held - coalesce(l.amount, 0) as held, i.holds - coalesce(l.holds, 0) as holds
            from reconciliation_items i
            left join lateral (
              select sum(m.amount) as amount, count(*) as holds from match_group_members m
                join match_groups g on g.id = m.group_id and g.status = 'held' and g.period > $2
               where m.record_id = i.record_id and m.reconciliation_id = $1::uuid) l on true
           where i.reconciliation_id = $1::uuid and (i.day is null or i.day <= $3::date)) k
   where k.ready or k.holds > 0`;

interface Sum {
  count: number;
  amounts: { amount: number }[];
}

type SideSums = Record<'records' | 'held' | 'open' | 'excluded', Sum>;

const sumsOf = (side: SideSums): object => {
  const amountOf = ({ amounts }: Sum): number => amounts[0]?.amount ?? 0;
  const { records, held, open, excluded } = side;
  return {
    records: records.count,
    held: held.count,
    open: open.count,
    excluded: excluded.count,
    amounts: [records, held, open, excluded].map(amountOf),
  };
};

const counted = (own: ReconciledBooks, month: keyof typeof ends, side: number) =>
  api.service.deps.db.system
    .query<{ sums: object }>(
      `select jsonb_build_object('records', count(*), 'held', count(*) filter (where state = 'held'),
                'open', count(*) filter (where state = 'open'),
                'excluded', count(*) filter (where state = 'excluded'),
                'amounts', jsonb_build_array(coalesce(sum(amount), 0)::float8, coalesce(sum(held), 0)::float8,
                  coalesce(sum(amount - held) filter (where state = 'open'), 0)::float8,
                  coalesce(sum(amount - held) filter (where state = 'excluded'), 0)::float8)) as sums
         from (${itemsOfMonth}) k where side = $4::int`,
      [own.id, month, ends[month], side],
    )
    .then(([row]) => row?.sums);

const openAtEnd = (own: ReconciledBooks, month: keyof typeof ends) =>
  api.service.deps.db.system.query<{ name: string }>(
    `select name, (amount - held)::float8 as remaining from (${itemsOfMonth}) k where state = 'open' order by name`,
    [own.id, month, ends[month]],
  );

test.each([7, 2_026, 31_337])(
  'the sums, the months and the certificates of play %i are what counting gives',
  async (first) => {
    let seed = first;
    const pick = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const dayIn = (month: number): string => `2026-0${month + 1}-${10 + pick(18)}`;
    const row = (ref: number): object => ({
      ref: `${ref}`,
      amount: [10, 20, 30, 0, null][pick(12)] ?? 10 + pick(3),
      date: pick(9) === 0 ? null : dayIn(pick(3)),
    });
    const rows = Array.from({ length: 14 }, (_, i) => row(i));
    const own = await openReconciliation(api, { lefts: rows, rights: rows.map((_, i) => row(i)) });
    const at = `/v1/reconciliations/${own.id}`;
    const post = (url: string, body: object) => own.tenant.api.post(url, body);
    const member = (name: string, amount?: number): object => ({ recordId: own.recordIds.get(name), amount });
    const acts: (() => PromiseLike<unknown>)[] = [
      () => runOf(api, own),
      () => own.tie([`l${pick(14)}`], [`r${pick(14)}`], { adjustments: [{ amount: pick(5), reasonCode: 'other' }] }),
      () =>
        post('/v1/match-groups', {
          reconciliationId: own.id,
          left: [member(`l${pick(14)}`, 3)],
          right: [member(`r${pick(14)}`, 3)],
        }),
      async () => {
        const groups = await heldGroups(own);
        const group = groups[pick(groups.length)];
        if (group) await post(`/v1/match-groups/${group.id}/release`, { reasonCode: 'other', allowAgain: true });
      },
      async () => {
        const name = pick(14);
        await post('/v1/records/bulk?dataset=left', [{ externalId: `l${name}`, body: row(name) }]).expect(202);
        await api.runIngest();
        await sweepChangedItems(api.service.deps);
      },
      async () => {
        const excluded = pick(2) === 0 ? { reasonCode: 'duplicate' } : null;
        await own.tenant.api.patch(`${at}/open-items/${own.recordIds.get(`r${pick(14)}`)}`, { excluded });
      },
    ];
    const compare = async (): Promise<void> => {
      for (const month of months) {
        const { body } = await own.tenant.api.get(`${at}/summary?period=${month}`).expect(200);
        for (const [side, name] of (['left', 'right'] as const).entries()) {
          const sums = sumsOf((body as Record<typeof name, SideSums>)[name]);
          expect({ month, name, sums }).toEqual({ month, name, sums: await counted(own, month, side) });
        }
      }
    };
    for (let step = 0; step < 24; step++) {
      await acts[step % 3 === 0 ? pick(acts.length) : 1 + pick(acts.length - 1)]?.();
      await compare();
    }
    const { body: listed } = await own.tenant.api.get(`${at}/periods`).expect(200);
    const named = await api.service.deps.db.system.query<{ month: string }>(
      `select distinct to_char(day, 'YYYY-MM') as month from reconciliation_items
        where reconciliation_id = $1::uuid and day is not null and (ready or holds > 0)
       union select period from match_groups
        where reconciliation_id = $1::uuid and status = 'held' and period is not null order by 1 desc`,
      [own.id],
    );
    expect((listed as { items: { period: string }[] }).items.map(({ period }) => period)).toEqual(
      named.map(({ month }) => month),
    );
    for (const month of months) {
      const expected = await openAtEnd(own, month);
      await post(`${at}/periods/${month}/close`, {}).expect(200);
      const { body } = await own.tenant.api.get(`${at}/periods/${month}/open-items?limit=100`).expect(200);
      const items = (body as { items: { external_id: string; remaining_amount: number | null }[] }).items;
      const shown = items.map((item) => ({ name: item.external_id, remaining: item.remaining_amount }));
      expect(shown.sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual(expected);
    }
  },
);
