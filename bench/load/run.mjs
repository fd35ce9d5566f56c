import fs from 'node:fs';
import { stopRequested } from '../../tools/main.mjs';
import { inRoot } from '../../tools/paths.mjs';
import { createCleanup } from '../../tools/cleanup.mjs';
import { loadPage } from './page.mjs';
import { createLoadReport } from './report.mjs';
import { postRequests, readRequests, shoot } from './shots.mjs';
import { openTarget } from './target.mjs';
import { withJobsRunning, prepareJob, prepareTarget, waitUntilProcessed, verifyStored } from './work.mjs';

const resultsFile = inRoot('bench', 'LOAD.md');
const warmUpSeconds = 3;
/** A concurrent job may slow the 99th percentile down by this factor. */
const maxSlowdown = 3;
const readGoal = { perSecond: 3_000, p99Ms: 50 };
const goals = { post: { perSecond: 1_500, p99Ms: 100 }, record: readGoal, read: readGoal };

/** Sends records, as often as asked, each time for `seconds`. */
function createPosting(target, { seconds, connections }, run) {
  const dataset = `posted-${run}`;
  const acknowledged = [];
  let measurements = 0;
  let bodies;
  const shot = async (forSeconds) => {
    bodies ??= await prepareTarget(target.client, dataset);
    measurements++;
    const requests = postRequests({
      dataset,
      bodies,
      run: `${run}-${measurements}`,
      onRecord: (id) => acknowledged.push(id),
    });
    return shoot(target, {
      seconds: forSeconds,
      connections,
      requests,
      settled: () => waitUntilProcessed(target.client, dataset),
    });
  };
  return {
    warmUp: () => shot(warmUpSeconds),
    measure: () => shot(seconds),
    verify: () => verifyStored(target.client, dataset, acknowledged, measurements * connections),
  };
}

function createReading(target, { seconds, connections }, requests) {
  const shot = (forSeconds) => shoot(target, { seconds: forSeconds, connections, requests });
  return { warmUp: () => shot(warmUpSeconds), measure: () => shot(seconds) };
}

async function measure(options, { target, report, say }) {
  const run = Date.now().toString(36);
  const posting = createPosting(target, options, run);
  const wants = (part) => options.parts.includes(part);
  let job;
  let reading;
  let readingRecords;
  if (wants('read') || wants('job')) {
    say(`Loading ${options.size.toLocaleString('en')} records a side, and matching them …`);
    job = await prepareJob(target, options.size, run);
    say(`  ${job.pairs.toLocaleString('en')} pairs`);
    const requests = readRequests(job);
    reading = createReading(target, options, requests);
    readingRecords = createReading(target, options, requests.slice(0, 1));
  }
  const alone = {};
  const without = async (part, what, work) => {
    say(`Measuring ${what} …`);
    await work.warmUp();
    alone[part] = await work.measure();
    report.shot(what, alone[part], goals[part]);
  };
  if (wants('post') || wants('job')) await without('post', 'POST /v1/records', posting);
  if (wants('read')) await without('record', 'GET /v1/records/{id}', readingRecords);
  if (wants('read') || wants('job')) await without('read', 'reads, a third of each', reading);
  if (wants('job')) {
    for (const [part, what, work] of [
      ['post', 'POST /v1/records', posting],
      ['read', 'reads, a third of each', reading],
    ]) {
      say(`Measuring ${what}, beside a job …`);
      const shot = await withJobsRunning(job, () => work.measure());
      report.shot(`${what}, beside a job`, shot, { p99Ms: maxSlowdown * alone[part].p99 });
      report.note(
        `${what}, beside a job: ${shot.jobs()} jobs ended; the goal is ${maxSlowdown} times the p99 of before.`,
      );
    }
  }
  if (wants('post') || wants('job')) {
    const stored = await posting.verify();
    report.note(
      `Every one of the ${stored.toLocaleString('en')} records that were acknowledged is there once, and ready.`,
    );
  }
}

/**
 * Measures the chosen parts, and leaves neither process nor file behind, also when it is interrupted.
 *
 * @param {ReturnType<import('./options.mjs').readOptions>} options @param {(line: string) => void} say
 * @returns {Promise<boolean>} Whether every goal was met.
 */
export async function runLoad(options, say) {
  const cleanup = createCleanup();
  const stopped = stopRequested().then((signal) => {
    throw new Error(`${signal}: stopped`);
  });
  const report = createLoadReport(options);
  const work = async () => {
    const target = await openTarget(options, cleanup, say);
    await measure(options, { target, report, say });
    for (const line of report.lines()) say(line);
    if (options.writeResults) {
      fs.writeFileSync(resultsFile, loadPage(report, options));
      say('\nWrote bench/LOAD.md');
    }
    return report.met();
  };
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    await cleanup.run();
  }
}
