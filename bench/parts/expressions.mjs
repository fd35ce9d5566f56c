import { startChild } from '../child.mjs';
import { alternate, geometricMean } from '../measure.mjs';
import { duration } from '../report.mjs';
import { referenceExpressions, typicalExpressions } from '../rule-sets.mjs';

const pairs = 4096;

/** An expression that jsonata must evaluate may take 1.3 times as long as in jsonata itself. */
const minReferenceRatio = 1 / 1.3;

/** (a) One call a pair through the engine's public interface, against `await evaluate` of jsonata. */
export async function benchExpressions({ rounds, report, cleanup }) {
  report.section(`(a) Expressions against jsonata, one call a pair, ${pairs} pairs, same values`);
  const child = startChild('expressions', { heapMb: 512 });
  cleanup.add(() => child.stop());
  await child.call('prepare', pairs);
  const compiled = [];
  for (const expression of typicalExpressions) {
    const { mode, figures } = await measure(child, expression, rounds);
    if (mode !== 'compiled') report.note(`${expression.name}: evaluated by the reference`);
    const ratio = figures.jsonata.seconds / figures.ours.seconds;
    compiled.push(ratio);
    report.compare({ what: expression.name, ...absolute(figures), measured: ratio, atLeast: 25 });
  }
  report.compare({ what: 'geometric mean of the six', measured: geometricMean(compiled), atLeast: 150 });
  const referred = [];
  for (const expression of referenceExpressions) {
    const { mode, figures } = await measure(child, expression, rounds);
    if (mode !== 'reference')
      throw new Error(`"${expression.name}" no longer needs the reference evaluator: choose another expression`);
    const ratio = figures.jsonata.seconds / figures.ours.seconds;
    referred.push(ratio);
    report.compare({
      what: `reference: ${expression.name}`,
      ...absolute(figures),
      measured: ratio,
      atLeast: minReferenceRatio,
    });
  }
  report.compare({ what: 'reference: geometric mean', measured: geometricMean(referred), atLeast: minReferenceRatio });
  report.note(
    'The product limits time, depth, steps and sequences of each evaluation; jsonata runs here without any limit.',
  );
  report.finish();
  report.peak('(a) expressions, both evaluators', child.peakMiB());
  await child.stop();
}

async function measure(child, { source }, rounds) {
  const { mode } = await child.call('take', source);
  const figures = await alternate(rounds, { jsonata: () => child.call('jsonata'), ours: () => child.call('ours') });
  return { mode, figures };
}

const absolute = ({ ours, jsonata }) => ({ product: duration(ours.seconds), reference: duration(jsonata.seconds) });
