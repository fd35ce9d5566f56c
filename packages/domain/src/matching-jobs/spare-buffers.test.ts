import { defaultLimits } from './limits';
import { SpareRuns } from './spare-runs';

const limits = { ...defaultLimits, runBytes: 1_000 };

test('a plan gets the buffers that the one before has given back', () => {
  const spare = new SpareRuns(limits);
  const runs = spare.take();
  spare.giveBack(runs);
  expect(spare.take()).toBe(runs);
});

test('two plans at a time have buffers of their own', () => {
  const spare = new SpareRuns(limits);
  spare.giveBack(spare.take());
  expect(spare.take()).not.toBe(spare.take());
});

test('a buffer that a large value has made larger is not kept', () => {
  const spare = new SpareRuns(limits);
  const runs = spare.take();
  runs.right.reserve(10 * limits.runBytes);
  spare.giveBack(runs);
  expect(spare.take()).not.toBe(runs);
});
