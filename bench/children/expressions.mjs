import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { requireFrom } from '../../tools/paths.mjs';
import { serveParent } from '../child.mjs';
import { records } from '../workload.mjs';

const jsonata = requireFrom('packages/engine')('jsonata');
const { compileExpression } = requireFrom('packages/domain')('@tieout/engine');

/** A round of the product's evaluator, which is so fast that one pass over the pairs says little, lasts this long. */
const minMs = 100;

let inputs = [];
let ours = null;
let theirs = null;

const plain = (value) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** Waits only where there is something to wait for: an asynchronous loop takes as long as an equality. */
function passOfOurs(from = 0) {
  for (let index = from; index < inputs.length; index++) {
    const pending = ours.evaluate(inputs[index]);
    if (pending instanceof Promise) return pending.then(() => passOfOurs(index + 1));
  }
  return undefined;
}

async function perCall(pass) {
  const startedAt = performance.now();
  for (let calls = inputs.length; ; calls += inputs.length) {
    await pass();
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= minMs) return { seconds: elapsedMs / 1000 / calls };
  }
}

serveParent({
  /**
   * Makes the pairs that every expression is called on, parsed as from the database: records that arrived together,
   * usually true counterparts.
   */
  prepare: (pairs) => {
    inputs = JSON.parse(JSON.stringify([...records(pairs)]));
  },
  /** Takes an expression and checks that both evaluators give the same value for every pair. */
  async take(source) {
    ours = compileExpression(source);
    theirs = jsonata(source);
    for (const input of inputs) {
      assert.deepEqual(plain(await ours.evaluate(input)), plain(await theirs.evaluate(input)), source);
    }
    return { mode: ours.mode };
  },
  ours: () => perCall(passOfOurs),
  jsonata: () =>
    perCall(async () => {
      for (const input of inputs) await theirs.evaluate(input);
    }),
});
