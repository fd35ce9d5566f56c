import { createRuns, jobFigures } from '../jobs.mjs';
import { alternate, timed } from '../measure.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, share, whole } from '../report.mjs';
import { looseRuleSet, ruleSet } from '../rule-sets.mjs';

/** Polling costs time that is not measured here. */
const pollMs = 100;

/** (i) Jobs with one-to-one assignment against jobs without; demoting a pair against one plain update. */
export async function benchAssignment(context) {
  const { quick, report } = context;
  const size = quick ? 10_000 : 100_000;
  const service = await context.service();
  const measured = { service, loaded: await context.loaded(size), report, size, rounds: quick ? 1 : context.rounds };
  report.announce('(i)');
  await benchLosers(measured);
  if (!quick) await benchWinners(measured);
}

async function runsOf({ service, loaded }, name, definition) {
  const runs = (assignment) =>
    createRuns(service, loaded, {
      name: `${name}, ${assignment}`,
      definition: { ...definition, params: { ...definition.params, assignment } },
      pollMs,
    });
  return { none: await runs('none'), oneToOne: await runs('one_to_one') };
}

/** Updates rows of a job in the order the server prefers, and rolls back. */
async function updateSeconds({ database }, jobId, rows) {
  await database.query('begin');
  const { value, seconds } = await timed(() =>
    database.query(
      `update matches set decision = 'POSSIBLE', explanation = explanation || '{"conflict": true}'
        where job_id = $1 and id = any(array(select id from matches where job_id = $1 limit $2))`,
      [jobId, rows],
    ),
  );
  await database.query('rollback');
  if (value.rowCount !== rows) throw new Error(`${value.rowCount} of ${rows} rows were updated`);
  return seconds;
}

/** Alternates jobs with and without assignment; `alsoOfNone` measures more of a job without, which has equal pairs. */
async function byTurns(measured, name, definition, alsoOfNone = async () => ({})) {
  const runs = await runsOf(measured, name, definition);
  let counts = null;
  const figures = await alternate(measured.rounds, {
    oneToOne: async () => {
      const run = await runs.oneToOne.run();
      counts = run.job.decision_counts;
      return jobFigures(run);
    },
    none: async () => {
      const run = await runs.none.run();
      // In the first round the assignment has had its turn.
      return { ...jobFigures(run), ...(await alsoOfNone(run, counts)) };
    },
  });
  return { figures, ...counts };
}

async function benchLosers(measured) {
  const { service, report, size } = measured;
  const update = async ({ job }, { POSSIBLE }) => ({ update: await updateSeconds(service, job.id, POSSIBLE) });
  const { figures, MATCH, POSSIBLE } = await byTurns(measured, 'most lose', looseRuleSet, update);
  const { oneToOne, none } = figures;
  const pair = (oneToOne.finish - none.finish) / POSSIBLE;
  report.section(
    `(i) One-to-one assignment, ${sizeText(size)} a side, ` +
      `${whole(POSSIBLE)} of ${whole(MATCH + POSSIBLE)} pairs lose, against none`,
  );
  report.compare({
    what: 'a pair that loses, against one plain update of as many',
    product: duration(pair),
    reference: duration(none.update / POSSIBLE),
    measured: pair / (none.update / POSSIBLE),
    show: share,
  });
  sayJobs(report, figures);
}

async function benchWinners(measured) {
  const { report, size } = measured;
  const { figures, MATCH, POSSIBLE } = await byTurns(measured, 'most win', ruleSet);
  report.section(
    `(i) One-to-one assignment, ${sizeText(size)} a side, ` +
      `${whole(MATCH)} of ${whole(MATCH + POSSIBLE)} kept pairs win, against none`,
  );
  sayJobs(report, figures);
}

function sayJobs(report, { oneToOne, none }) {
  report.compare({
    what: 'POST to completed',
    product: duration(oneToOne.seconds),
    reference: duration(none.seconds),
    measured: oneToOne.seconds / none.seconds,
    show: share,
  });
  for (const stage of ['write', 'finish'])
    report.compare({
      what: `  ${stage}, summed over workers`,
      product: duration(oneToOne[stage]),
      reference: duration(none[stage]),
    });
  report.finish();
}
