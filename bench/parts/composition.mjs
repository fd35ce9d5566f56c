import { startChild } from '../child.mjs';
import { alternate, warmUp } from '../measure.mjs';
import { duration, whole } from '../report.mjs';

const candidateCounts = [20, 50, 200, 1_000];
const memberLimits = { full: [2, 5, 12, 60], quick: [2, 12] };
const targets = { full: 200, quick: 10 };
const hostileMembers = 12;
/** Minimum gain of match keys over the same search without them. */
const minKeyGain = 3;
/** A job has 60 s on 2 cores for these targets; half of that is left for reading, competing and writing. */
const goal = { candidates: 30, members: 12, targets: 100_000, seconds: 60 };

const denseTargets = { full: 12_000, quick: 2_000 };

const percent = (share) => `${Math.round(share * 100)} %`;
const millionsASecond = (rate) => `${(rate / 1e6).toFixed(0)} M nodes/s`;

/** (g) The search for the members of a composite, against plain enumeration of subsets. */
export async function benchComposition({ rounds, quick, report, cleanup }) {
  const child = startChild('composition', { heapMb: 512 });
  cleanup.add(() => child.stop());
  const extent = quick ? 'quick' : 'full';
  const count = targets[extent];
  const maxNodes = await child.call('maxNodes');
  await child.call('prepare', { planted: false, candidates: goal.candidates, members: goal.members, count });
  await warmUp(() => child.call('shares'));
  report.section(
    `(g) Composition: targets a second on one core, up to ${whole(maxNodes)} nodes each, against enumerating subsets`,
  );
  const ended = [];
  for (const planted of [true, false]) {
    for (const candidates of candidateCounts) {
      for (const members of memberLimits[extent]) {
        const target = planted ? 'a group is there' : 'a random target';
        const what = `${target}, ${candidates} candidates, up to ${members} members`;
        const share = await compareWithEnumeration(child, {
          what,
          line: { planted, candidates, members, count },
          rounds,
          report,
        });
        if (share > 0) ended.push(`${planted ? 'group' : 'random'} ${candidates}/${members} ${percent(share)}`);
      }
    }
  }
  await compareWithGoal(child, { rounds, report, count: quick ? 50 : 1_000 });
  report.note('- : a target has more than 5 million subsets.');
  if (ended.length > 0) report.note(`Ended by the budget, candidates/members: ${ended.join(', ')}`);
  report.finish();
  await benchHostile(child, { rounds, report });
  await benchKeys(child, { rounds, report });
  await benchDense(child, { rounds, report, size: denseTargets[extent] });
  report.peak('(g) composition', child.peakMiB());
  await child.stop();
}

async function compareWithEnumeration(child, { what, line, rounds, report }) {
  const { isEnumerable } = await child.call('prepare', line);
  const { ended } = await child.call('shares');
  const product = () => child.call('product');
  const figures = await alternate(
    rounds,
    isEnumerable ? { enumeration: () => child.call('enumeration'), product } : { product },
  );
  report.compare({
    what,
    product: `${whole(1 / figures.product.seconds)}/s`,
    reference: isEnumerable ? `${whole(1 / figures.enumeration.seconds)}/s` : '-',
    ...(isEnumerable && { measured: figures.enumeration.seconds / figures.product.seconds }),
  });
  return ended;
}

async function compareWithGoal(child, { rounds, report, count }) {
  await child.call('prepare', { planted: false, candidates: goal.candidates, members: goal.members, count });
  await child.call('shares');
  const { product } = await alternate(Math.max(rounds, 5), { product: () => child.call('product') });
  const seconds = product.seconds * goal.targets;
  report.compare({
    what: `${whole(goal.targets)} random targets, ${goal.candidates} candidates, up to ${goal.members} members`,
    product: duration(seconds),
    measured: seconds,
    show: duration,
    atMost: goal.seconds,
  });
}

/** Match keys narrow the search to the members of one customer. */
async function benchKeys(child, { rounds, report }) {
  report.section('(g) Composition: payments of three invoices, with match keys against without');
  await child.call('preparePayments', { targets: goal.targets });
  const { keyed, plain } = await alternate(rounds, {
    plain: () => child.call('withoutKeys'),
    keyed: () => child.call('withKeys'),
  });
  report.compare({
    what: `a target among ${whole(goal.targets)}`,
    product: duration(keyed.seconds),
    reference: duration(plain.seconds),
    measured: plain.seconds / keyed.seconds,
    atLeast: minKeyGain,
  });
  report.finish();
}

/** Targets that want the same members: each that loses some searches again, in one process. */
async function benchDense(child, { rounds, report, size }) {
  report.section(`(g) Composition: ${whole(size)} targets that compete for as many members, a week's each`);
  await child.call('prepareDense', { size });
  const { all } = await alternate(rounds, { all: () => child.call('dense') });
  report.compare({
    what: `settling, against proposing; ${whole(all.composites)} composites`,
    product: duration(all.settling),
    reference: duration(all.proposing),
    measured: all.settling / all.proposing,
  });
  report.finish();
}

/** Inputs that are made to be hard: each search ends, at the latest with its budget. */
async function benchHostile(child, { rounds, report }) {
  report.section(`(g) Composition: hostile amounts, up to ${hostileMembers} members`);
  for (const kind of await child.call('kinds')) {
    for (const candidates of candidateCounts) {
      await child.call('prepare', { kind, candidates, members: hostileMembers, count: 3 });
      const { nodes, found, ended } = await child.call('shares');
      const { product } = await alternate(rounds, { product: () => child.call('product') });
      report.compare({
        what: `${kind}, ${candidates}: ${ended > 0 ? 'budget ended' : found > 0 ? 'found' : 'impossible'}`,
        product: duration(product.seconds),
        ...(nodes > 1_000 && { measured: nodes / product.seconds, show: millionsASecond }),
      });
    }
  }
  report.finish();
}
