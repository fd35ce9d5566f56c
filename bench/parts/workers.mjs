import { alternate } from '../measure.mjs';
import { createRuns } from '../jobs.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, whole } from '../report.mjs';
import { referenceRuleSet } from '../rule-sets.mjs';

const settings = { MATCHING_CONCURRENCY: '1' };

/** (f) The same job with one and with two matching workers, where the reference evaluator is what takes the time. */
export async function benchWorkers(context) {
  const { rounds, report, quick } = context;
  // Planning and finishing, which one worker does, are too large a share of a small job.
  const size = quick ? 10_000 : 100_000;
  const goal = quick ? {} : { atLeast: 1.7 };
  const service = await context.service();
  const runs = await createRuns(service, await context.loaded(size), {
    name: 'reference',
    definition: referenceRuleSet,
  });
  report.announce('(f)');
  let expected = null;
  const withWorkers = async (count) => {
    await service.matchingWorkers(count, settings);
    const { seconds, pairs, kept } = await runs.run();
    expected ??= { pairs, kept };
    if (pairs !== expected.pairs || kept !== expected.kept) throw new Error('One worker and two do not find the same');
    return { seconds };
  };
  await withWorkers(2);

  report.section(
    `(f) One and two matching workers, a reference-only expression, ${sizeText(size)} a side, ` +
      `${whole(expected.pairs)} pairs`,
  );
  const { one, two } = await alternate(rounds, { one: () => withWorkers(1), two: () => withWorkers(2) });
  await service.matchingWorkers(1);
  report.compare({
    what: 'POST to completed, two against one',
    product: duration(two.seconds),
    reference: duration(one.seconds),
    measured: one.seconds / two.seconds,
    ...goal,
  });
  report.finish();
}
