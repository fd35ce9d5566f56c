import { requireFrom } from '../../tools/paths.mjs';
import { serveParent } from '../child.mjs';
import { timed } from '../measure.mjs';
import { ruleSet } from '../rule-sets.mjs';

const jsonata = requireFrom('packages/engine')('jsonata');

const { matchers, Tpossible } = ruleSet.params;
const expressions = matchers.map(({ expr }) => jsonata(expr));
let inputs = [];

/** Baseline without an engine: `await evaluate` for each matcher of each pair, and the weighted sum. */
async function keptByAwaiting() {
  let kept = 0;
  for (const input of inputs) {
    let score = 0;
    for (let i = 0; i < expressions.length; i++) {
      if (await expressions[i].evaluate(input)) score += matchers[i].weight;
    }
    if (score >= Tpossible - 1e-9) kept++;
  }
  return kept;
}

serveParent({
  take(given) {
    inputs = given;
  },
  async run() {
    const measured = await timed(keptByAwaiting);
    return { seconds: measured.seconds, kept: measured.value };
  },
});
