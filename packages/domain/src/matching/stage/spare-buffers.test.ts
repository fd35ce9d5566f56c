import { defaultLimits } from '../jobs/limits';
import { SpareBuffers } from './spare-buffers';

const limits = { ...defaultLimits, runBytes: 1_000, spareRows: 10_000 };
const ids = new Uint8Array(16);

test('a plan gets the buffers that the plan before gave back', () => {
  const spare = new SpareBuffers(limits);
  const { left, right } = spare.take();
  spare.giveBack({ left, right });
  const again = spare.take();
  expect(
    [again.left.run, again.left.columns, again.right.run, again.right.columns].map(
      (buffer, i) => buffer === [left.run, left.columns, right.run, right.columns][i],
    ),
  ).toEqual([true, true, true, true]);
});

test('two plans at the same time have buffers of their own', () => {
  const spare = new SpareBuffers(limits);
  spare.giveBack(spare.take());
  expect(spare.take().left.run).not.toBe(spare.take().left.run);
});

test('a buffer enlarged by a large value is not kept', () => {
  const spare = new SpareBuffers(limits);
  const buffers = spare.take();
  buffers.right.run.reserve(10 * limits.runBytes);
  spare.giveBack(buffers);
  expect(spare.take().right.run).not.toBe(buffers.right.run);
});

test('after a side with many records the run is kept and the columns are not', () => {
  const spare = new SpareBuffers(limits);
  const { left, right } = spare.take();
  for (let i = 0; i <= limits.spareRows; i++) left.columns.add(0, ids, 0);
  spare.giveBack({ left, right });
  const again = spare.take();
  expect([
    again.left.run === left.run,
    again.left.columns === left.columns,
    again.right.columns === right.columns,
  ]).toEqual([true, false, true]);
});

test('a record without an amount has no decimals of the plan before', () => {
  const { columns } = new SpareBuffers(limits).take().left;
  columns.place(columns.add(0, ids, 0), { bucket: 7, day: 1, units: 12_345, scale: 4, weight: 10 });
  columns.clear();
  columns.add(0, ids, 0);
  expect([columns.length, columns.scale[0]]).toEqual([1, 0]);
});
