import { startChild } from '../child.mjs';
import { alternate, warmUp } from '../measure.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, whole } from '../report.mjs';

const sampledPairs = 10_000;
const largestSize = 100_000;

/** (b) Sorting, columns and the loop over all candidate pairs, against `await evaluate` four times a pair. */
export async function benchBatchLoop({ sizes, rounds, report, cleanup }) {
  const size = Math.min(largestSize, sizes.at(-1));
  report.announce(`(b) ${sizeText(size)} a side`);
  const product = startChild('pairs', { heapMb: 1024 });
  cleanup.add(() => product.stop());
  const reference = startChild('awaiting', { heapMb: 512 });
  cleanup.add(() => reference.stop());
  await product.call('load', size);
  const { pairs } = await warmUp(() => product.call('run'));
  const inputs = await product.call('sample', { count: sampledPairs, pairs });
  await reference.call('take', inputs);
  const kept = {
    product: await product.call('keptOf', inputs),
    reference: (await warmUp(() => reference.call('run'))).kept,
  };
  if (kept.product !== kept.reference)
    throw new Error(`Of ${inputs.length} pairs the product keeps ${kept.product}, jsonata ${kept.reference}`);

  report.section(
    `(b) The batch loop against awaiting jsonata, 4 matchers, ${sizeText(size)} a side, ${whole(pairs)} pairs`,
  );
  const figures = await alternate(rounds, {
    reference: () => reference.call('run'),
    product: () => product.call('run'),
  });
  const perPair = {
    product: (figures.product.seconds - figures.product.keys) / pairs,
    reference: figures.reference.seconds / inputs.length,
  };
  report.compare({
    what: 'a pair: sort, columns and loop',
    product: duration(perPair.product),
    reference: duration(perPair.reference),
    measured: perPair.reference / perPair.product,
    atLeast: 250,
  });
  const loop = figures.product.loop / pairs;
  report.compare({
    what: 'a pair: the loop alone',
    product: duration(loop),
    reference: duration(perPair.reference),
    measured: perPair.reference / loop,
  });
  report.note(
    'Block keys are read with the record, and records are parsed 256 at a time in the order of their keys, ' +
      'as in a job: neither is in these times.',
  );
  report.note(
    `jsonata: ${whole(inputs.length)} of the pairs, at even distances, all four matchers each; ` +
      `both keep ${whole(kept.product)} of them.`,
  );
  await noteModes(product, report);
  report.finish();
  report.peak(`(b) batch loop, ${sizeText(size)}`, product.peakMiB());
  report.peak('(b) jsonata', reference.peakMiB());
  await product.stop();
  await reference.stop();
}

async function noteModes(product, report) {
  const uncompiled = Object.entries(await product.call('modes')).filter(([, mode]) => mode !== 'compiled');
  if (uncompiled.length > 0) report.note(`Evaluated by the reference: ${uncompiled.map(([id]) => id).join(', ')}`);
}
