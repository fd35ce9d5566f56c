import { performance } from 'node:perf_hooks';
import { requireFrom } from '../../tools/paths.mjs';
import { serveParent } from '../child.mjs';
import { fieldsRead, ruleSet } from '../rule-sets.mjs';
import { slices } from '../slices.mjs';
import { records } from '../workload.mjs';

const { compileRuleSet, candidateWindows, rescale } = requireFrom('packages/domain')('@tieout/engine');

const { gather, sortedOrder } = requireFrom('packages/engine')('./dist/candidates/order.js');

const amountScale = 2;
/** The number of records a job parses at a time. */
const windowRows = 256;

const compiled = compileRuleSet({ ...ruleSet, jsonataExpr: null, version: 1 });
const { blocking } = compiled;
/** Text of each record by side: the fields the rule set names. */
let sides = { left: [], right: [] };

const projected = (body, side) => JSON.stringify(Object.fromEntries(fieldsRead[side].map((key) => [key, body[key]])));
const parsed = (texts) => JSON.parse(`[${texts.join(',')}]`);

/**
 * Visits the records of these rows as a job does: some are parsed, then handed over. Parsing has its own lap.
 *
 * @param {string} side @param {Uint32Array | undefined} order rows in order; all of the side without
 */
function forEachRecord(side, order, { lap, kind }, visit) {
  const texts = sides[side];
  const { length } = order ?? texts;
  for (let from = 0; from < length; from += windowRows) {
    const to = Math.min(length, from + windowRows);
    const values = parsed(order ? Array.from(order.subarray(from, to), (row) => texts[row]) : texts.slice(from, to));
    lap('parse');
    for (let i = from; i < to; i++) visit(values[i - from], i);
    lap(kind);
  }
}

/** The block keys of a side's records, which all can be blocked. */
function keysOf(side, lap) {
  const { length } = sides[side];
  const keys = { bucket: new Float64Array(length), day: new Int32Array(length), units: new Float64Array(length) };
  forEachRecord(side, undefined, { lap, kind: 'keys' }, (value, i) => {
    const reading = compiled.readKeys(side, value);
    const { bucket, day } = blocking.keyOf(reading);
    keys.bucket[i] = bucket;
    keys.day[i] = day;
    keys.units[i] = reading.amount.ok ? rescale(reading.amount.units, reading.amount.scale, amountScale) : NaN;
  });
  return keys;
}

/** Rows of a side in the order of (bucket, day, number of the row), sorted by the job's own code. */
function sortedSide({ bucket, day, units }) {
  const { length } = bucket;
  const order = sortedOrder(length, [bucket, day]);
  return {
    length,
    order,
    bucket: gather(bucket, order, new Float64Array(length)),
    day: gather(day, order, new Int32Array(length)),
    units: gather(units, order, new Float64Array(length)),
  };
}

/** Hands the rows [from, to) of a sorted side to a batch. */
function addRows({ add, side, sorted, from, to, lap }) {
  forEachRecord(side, sorted.order.subarray(from, to), { lap, kind: 'columns' }, (value, i) =>
    add(value, sorted.units[from + i], sorted.day[from + i]),
  );
}

/** Calls `visit(left index, from, to)` for every range of candidates; indexes count in the slice and in the chunk. */
async function visitCandidates({ left, right }, { leftFrom, leftTo }, { from, to }, visit) {
  const chunk = {
    length: to - from,
    bucket: right.bucket.subarray(from, to),
    day: right.day.subarray(from, to),
    units: right.units.subarray(from, to),
  };
  const windows = candidateWindows(blocking, chunk, amountScale);
  for (let i = leftFrom; i < leftTo; i++) {
    windows.seek(left.bucket[i], left.day[i], left.units[i]);
    for (let window = 0; window < windows.count; window++) {
      const pending = visit(i - leftFrom, windows.from[window], windows.to[window]);
      if (pending !== undefined) await pending;
    }
  }
}

/** A promise from a pair on that is pending. */
function compareRange(batch, left, from, to) {
  for (let next = from; next < to;) {
    const reached = batch.compare(left, next, to);
    if (typeof reached !== 'number') return reached.then((right) => compareRange(batch, left, right, to));
    next = reached;
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

/** The kept pairs of a batch in columns: rows of both sides as they were before sorting, and scores. */
function collected(kept, leftOrder, rightOrder) {
  const { length } = kept;
  const columns = { left: new Uint32Array(length), right: new Uint32Array(length), score: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    columns.left[i] = leftOrder[kept.left(i)];
    columns.right[i] = rightOrder[kept.right(i)];
    columns.score[i] = kept.score(i);
  }
  return columns;
}

const ignored = () => undefined;

/**
 * Blocks and scores everything; the kept pairs are collected as row numbers and scores. Parsing is not part of
 * `seconds`: it belongs to reading, as DuckDB's loading does.
 */
async function blockAndScore() {
  const laps = { parse: 0, keys: 0, sort: 0, columns: 0, loop: 0, collect: 0 };
  const lap = lapsOf(laps);
  const keys = { left: keysOf('left', lap), right: keysOf('right', lap) };
  const sorted = { left: sortedSide(keys.left), right: sortedSide(keys.right) };
  lap('sort');
  const figures = { pairs: 0, kept: 0 };
  const found = [];
  for (const slice of slices(sorted.left, sorted.right, blocking)) {
    const batch = compiled.openBatch(amountScale);
    const [from, to] = [slice.leftFrom, slice.leftTo];
    addRows({
      add: (value, units, day) => batch.addLeft(value, units, day),
      side: 'left',
      sorted: sorted.left,
      from,
      to,
      lap,
    });
    for (const chunk of slice.chunks) {
      addRows({
        add: (value, units, day) => batch.addRight(value, units, day),
        side: 'right',
        sorted: sorted.right,
        ...chunk,
        lap,
      });
      await visitCandidates(sorted, slice, chunk, (left, from, to) => compareRange(batch, left, from, to));
      lap('loop');
      found.push(
        collected(batch.kept, sorted.left.order.subarray(slice.leftFrom), sorted.right.order.subarray(chunk.from)),
      );
      batch.clearRight();
      lap('collect');
    }
    const { MATCH, POSSIBLE, NO_MATCH, ERROR } = batch.counts;
    figures.pairs += MATCH + POSSIBLE + NO_MATCH + ERROR;
  }
  figures.kept = found.reduce((sum, { score }) => sum + score.length, 0);
  const { keys: keySeconds, sort, columns, loop, collect } = laps;
  return { ...figures, ...laps, seconds: keySeconds + sort + columns + loop + collect };
}

/** Up to `count` of the candidate pairs, at even distances. */
async function sample(count, pairs) {
  const sorted = { left: sortedSide(keysOf('left', ignored)), right: sortedSide(keysOf('right', ignored)) };
  const recordAt = (side, index) => JSON.parse(sides[side][sorted[side].order[index]]);
  const step = Math.max(1, Math.floor(pairs / count));
  const inputs = [];
  let seen = 0;
  for (const slice of slices(sorted.left, sorted.right, blocking)) {
    for (const chunk of slice.chunks) {
      await visitCandidates(sorted, slice, chunk, (left, from, to) => {
        for (let j = from; j < to; j++, seen++) {
          if (seen % step !== 0 || inputs.length >= count) continue;
          inputs.push({ left: recordAt('left', slice.leftFrom + left), right: recordAt('right', chunk.from + j) });
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
  /** Returns whether every expression runs compiled. */
  modes: () => compiled.expressions,
  async run() {
    // Garbage of the last run is not part of this measurement.
    globalThis.gc();
    return blockAndScore();
  },
  sample: ({ count, pairs }) => sample(count, pairs),
  /** Counts the pairs the comparer keeps when it is called pair by pair. */
  async keptOf(inputs) {
    const comparer = compiled.comparer(amountScale);
    const compared = (side, value) => {
      const { amount, day } = compiled.readKeys(side, value);
      return { value, amountUnits: rescale(amount.units, amount.scale, amountScale), day: day.day };
    };
    let kept = 0;
    for (const { left, right } of inputs) {
      const { decision } = await comparer.compare(compared('left', left), compared('right', right));
      if (decision === 'MATCH' || decision === 'POSSIBLE') kept++;
    }
    return kept;
  },
});
