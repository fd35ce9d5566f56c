import { ended } from '../jobs.mjs';
import { loadDataset } from '../loading.mjs';
import { products } from '../matchable/products.mjs';
import { timed } from '../measure.mjs';
import { duration, times, whole } from '../report.mjs';

const pollMs = 200;
const neighbours = 15;
/** PostgreSQL takes too long for all titles: evenly spread ones stand for them. */
const sampled = 40;

/** (m) Each title's most similar ones of the other side, against PostgreSQL's trigram index. */
export async function benchTexts({ report, quick, service }) {
  const { client, database, tenantId } = await service();
  const count = quick ? 10_000 : 111_000;
  report.announce('(m) similar texts');
  const { left, right } = products(count, 9);
  const titles = {
    left: left.map(({ body }) => ({ body: { title: body.name } })),
    right: right.map(({ body }) => ({ body: { title: body.title } })),
  };
  const datasets = {
    left: await loadDataset(client, 'titles left', titles.left),
    right: await loadDataset(client, 'titles right', titles.right),
  };
  const { id: ruleSetId } = await client.post('/v1/rule-sets', {
    name: 'titles',
    leftDatasetId: datasets.left,
    rightDatasetId: datasets.right,
    jsonataExpr: 'false',
    params: {
      Tmatch: 1,
      Tpossible: 1,
      blocking: { text: { left: 'left.title', right: 'right.title', top: neighbours } },
    },
  });
  const job = await client.post('/v1/matching-jobs', { datasetId: datasets.left, ruleSetIds: [ruleSetId] });
  const { status, error } = await ended(client, job.id, pollMs);
  if (status !== 'completed') throw new Error(`The job ended ${status}: ${JSON.stringify(error)}`);
  const { rows } = await database.query(
    `select ((timings->>'readMs')::float8 + (timings->>'blockMs')::float8) / 1000 as seconds
       from job_rule_sets where tenant_id = $1 and job_id = $2`,
    [tenantId, job.id],
  );
  const seconds = rows[0].seconds;

  await database.query('create extension if not exists pg_trgm');
  await database.query('create table titles as select $1::int as side, $2::text as title limit 0', [0, '']);
  for (const [side, own] of Object.values(titles).entries())
    await database.query('insert into titles select $1, unnest($2::text[])', [side, own.map(({ body }) => body.title)]);
  for (const side of [0, 1])
    await database.query(`create index on titles using gist (title gist_trgm_ops(siglen=64)) where side = ${side}`);
  await database.query('analyze titles');
  const reference = await timed(async () => {
    for (const [side, own] of Object.values(titles).entries())
      for (let at = 0; at < sampled / 2; at++) {
        const { title } = own[Math.floor((at * own.length) / (sampled / 2))].body;
        await database.query(
          `select title from titles where side = ${1 - side} order by title <-> $1 limit ${neighbours}`,
          [title],
        );
      }
  });
  await database.query('drop table titles');

  const queries = left.length + right.length;
  report.section(
    `(m) The ${neighbours} most similar titles for each of ${whole(left.length)} x ${whole(right.length)}`,
  );
  report.compare({
    what: `a title: reading and search, against a query of the trigram index (${sampled} sampled)`,
    product: duration(seconds / queries),
    reference: duration(reference.seconds / sampled),
    measured: reference.seconds / sampled / (seconds / queries),
    show: times,
    atLeast: 10,
  });
  report.compare({
    what: 'all titles',
    product: duration(seconds),
    reference: duration((reference.seconds / sampled) * queries),
  });
  report.finish();
}
