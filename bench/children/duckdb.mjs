import { DuckDBInstance, version } from '@duckdb/node-api';
import { timed } from '../measure.mjs';
import { serveParent } from '../child.mjs';

const threads = '2';

/** The columns that the rule set reads, typed as DuckDB likes them best. */
const columns = {
  left: "{amount: 'DOUBLE', date: 'DATE', name: 'VARCHAR', invoice_no: 'VARCHAR'}",
  right: "{amount: 'DOUBLE', date: 'DATE', name: 'VARCHAR', description: 'VARCHAR'}",
};

const load = (side, file) =>
  `create or replace table ${side}_side as select *
    from read_json('${file}', format = 'newline_delimited', columns = ${columns[side]})`;

const prepare = (side) =>
  `create or replace table ${side}_keyed as select rowid as id, *, floor(amount)::bigint as bucket,
    lower(trim(name)) as normalised from ${side}_side`;

/** Lists every left row once per (bucket, day) cell of its window: a join by equality is far faster than by ranges. */
const candidates = `
  (select l.*, l.bucket + b.step as cell_bucket, l.date + d.step::int as cell_date
     from left_keyed l, (values (-1), (0), (1)) b(step), (values (-3), (-2), (-1), (0), (1), (2), (3)) d(step)) l
  join right_keyed r on r.bucket = l.cell_bucket and r.date = l.cell_date`;

const score = `
  case when abs(l.amount - r.amount) <= 0.01 * abs(l.amount) then 0.4 else 0 end
  + case when abs(l.date - r.date) <= 3 then 0.2 else 0 end
  + case when l.normalised = r.normalised then 0.2 else 0 end
  + case when contains(r.description, l.invoice_no) then 0.2 else 0 end`;

const join = `create or replace table kept as
  select * from (select l.id as left_id, r.id as right_id, ${score} as score from ${candidates})
    where score >= 0.7 - 1e-9`;

const instance = await DuckDBInstance.create(':memory:', { threads });
const connection = await instance.connect();
const run = (sql) => connection.run(sql);
const number = async (sql) => Number((await connection.runAndReadAll(sql)).getRows()[0][0]);

serveParent({
  version,
  /** Seconds to read the files into tables. */
  async load({ left, right }) {
    const measured = await timed(async () => {
      await run(load('left', left));
      await run(load('right', right));
    });
    return { seconds: measured.seconds };
  },
  /** Seconds to join and score what was loaded; the kept pairs become a table. Names are normalised once a row. */
  async join() {
    const measured = await timed(async () => {
      await run(prepare('left'));
      await run(prepare('right'));
      await run(join);
    });
    return { seconds: measured.seconds };
  },
  /** Duration of the last join. */
  async counts() {
    return {
      pairs: await number(`select count(*) from ${candidates}`),
      kept: await number('select count(*) from kept'),
    };
  },
});
