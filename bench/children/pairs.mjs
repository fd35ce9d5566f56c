import { performance } from 'node:perf_hooks';
import { requireFrom } from '../../scripts/lib/paths.mjs';
import { serveParent } from '../child.mjs';
import { timed } from '../measure.mjs';
import { fieldsRead, ruleSet } from '../rule-sets.mjs';
import { slices, sortedSide } from '../slices.mjs';
import { records } from '../workload.mjs';

const { compileRuleSet, candidateWindows, rescale } = requireFrom('packages/domain')('@tieout/engine');

const amountScale = 2;

const compiled = compileRuleSet({ ...ruleSet, jsonataExpr: null, version: 1 });
const { blocking } = compiled;
let sides = { left: [], right: [] };

/** A record as a job reads it: parsed from the text of the fields that the rule set names. */
const projected = (body, side) => JSON.parse(JSON.stringify(Object.fromEntries(fieldsRead[side].map((key) => [key, body[key]]))));

/** The block keys of a side's records, which all can be blocked. */
function keysOf(side) {
  const values = sides[side];
  const keys = { bucket: new Float64Array(values.length), day: new Int32Array(values.length), units: new Float64Array(values.length) };
  for (let i = 0; i < values.length; i += 1) {
    const reading = compiled.readKeys(side, values[i]);
    const { bucket, day } = blocking.keyOf(reading);
    keys.bucket[i] = bucket;
    keys.day[i] = day;
    keys.units[i] = reading.amount.ok ? rescale(reading.amount.units, reading.amount.scale, amountScale) : NaN;
  }
  return keys;
}

/** Hands the rows [from, to) of a sorted side to a batch. */
function addRows(add, side, sorted, from, to) {
  const values = sides[side];
  for (let i = from; i < to; i += 1) add(values[sorted.order[i]], sorted.units[i], sorted.day[i]);
}

/** Runs `visit(left index, from, to)` for every range of candidates; indexes are those of the slice and of the chunk. */
async function visitCandidates({ left, right }, { leftFrom, leftTo }, { from, to }, visit) {
  const chunk = { length: to - from, bucket: right.bucket.subarray(from, to), day: right.day.subarray(from, to), units: right.units.subarray(from, to) };
  const windows = candidateWindows(blocking, chunk, amountScale);
  for (let i = leftFrom; i < leftTo; i += 1) {
    windows.seek(left.bucket[i], left.day[i], left.units[i]);
    for (let window = 0; window < windows.count; window += 1) {
      const pending = visit(i - leftFrom, windows.from[window], windows.to[window]);
      if (pending !== undefined) await pending;
    }
  }
}

/** Each call adds the seconds since the last one. */
function lapsOf(laps) {
  let mark = performance.now();
  return (kind) => {
    const now = performance.now();
    laps[kind] += (now - mark) / 1000;
    mark = now;
  };
}

/** Blocks and scores everything; the kept pairs are collected as row numbers and scores. */
async function blockAndScore() {
  const laps = { keys: 0, sort: 0, columns: 0, loop: 0, collect: 0 };
  const lap = lapsOf(laps);
  const keys = { left: keysOf('left'), right: keysOf('right') };
  lap('keys');
  const sorted = { left: sortedSide(keys.left), right: sortedSide(keys.right) };
  lap('sort');
  const figures = { pairs: 0, kept: 0 };
  const found = { left: [], right: [], score: [] };
  for (const slice of slices(sorted.left, sorted.right, blocking)) {
    const batch = compiled.openBatch(amountScale);
    addRows(batch.addLeft.bind(batch), 'left', sorted.left, slice.leftFrom, slice.leftTo);
    for (const chunk of slice.chunks) {
      addRows(batch.addRight.bind(batch), 'right', sorted.right, chunk.from, chunk.to);
      lap('columns');
      await visitCandidates(sorted, slice, chunk, (left, from, to) => batch.compare(left, from, to));
      lap('loop');
      const { kept } = batch;
      for (let i = 0; i < kept.length; i += 1) {
        found.left.push(sorted.left.order[slice.leftFrom + kept.left(i)]);
        found.right.push(sorted.right.order[chunk.from + kept.right(i)]);
        found.score.push(kept.score(i));
      }
      batch.clearRight();
      lap('collect');
    }
    const { MATCH, POSSIBLE, NO_MATCH, ERROR } = batch.counts;
    figures.pairs += MATCH + POSSIBLE + NO_MATCH + ERROR;
  }
  figures.kept = found.left.length;
  return { ...figures, ...laps };
}

/** Up to `count` of the candidate pairs, at even distances. */
async function sample(count, pairs) {
  const sorted = { left: sortedSide(keysOf('left')), right: sortedSide(keysOf('right')) };
  const step = Math.max(1, Math.floor(pairs / count));
  const inputs = [];
  let seen = 0;
  for (const slice of slices(sorted.left, sorted.right, blocking)) {
    for (const chunk of slice.chunks) {
      await visitCandidates(sorted, slice, chunk, (left, from, to) => {
        for (let j = from; j < to; j += 1, seen += 1) {
          if (seen % step !== 0 || inputs.length >= count) continue;
          inputs.push({ left: sides.left[sorted.left.order[slice.leftFrom + left]], right: sides.right[sorted.right.order[chunk.from + j]] });
        }
      });
    }
  }
  return inputs;
}

serveParent({
  load(size) {
    sides = { left: [], right: [] };
    for (const { left, right } of records(size)) {
      sides.left.push(projected(left, 'left'));
      sides.right.push(projected(right, 'right'));
    }
  },
  /** Whether every expression runs compiled. */
  modes: () => compiled.expressions,
  async run() {
    // What the last run left behind is not this one's work.
    globalThis.gc();
    const measured = await timed(blockAndScore);
    return { ...measured.value, seconds: measured.seconds };
  },
  sample: ({ count, pairs }) => sample(count, pairs),
  /** How many of these pairs the comparer, pair by pair, keeps. */
  async keptOf(inputs) {
    const comparer = compiled.comparer(amountScale);
    const compared = (side, value) => {
      const { amount, day } = compiled.readKeys(side, value);
      return { value, amountUnits: rescale(amount.units, amount.scale, amountScale), day: day.day };
    };
    let kept = 0;
    for (const { left, right } of inputs) {
      const { decision } = await comparer.compare(compared('left', left), compared('right', right));
      if (decision === 'MATCH' || decision === 'POSSIBLE') kept += 1;
    }
    return kept;
  },
});
