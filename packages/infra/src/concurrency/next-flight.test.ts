import { nextFlight } from './next-flight';

/** Work whose runs end when the test says so. */
function heldWork() {
  const runs: { end: (result: number) => void; fail: (error: Error) => void }[] = [];
  const work = () => new Promise<number>((end, fail) => void runs.push({ end, fail }));
  return { runs, ask: nextFlight(work) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('callers of one turn share a run', async () => {
  const { runs, ask } = heldWork();
  const answers = Promise.all([ask(), ask()]);
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.end(1);
  expect(await answers).toEqual([1, 1]);
});

test('those who call during a run share the next one, which begins when it ends', async () => {
  const { runs, ask } = heldWork();
  const first = ask();
  await turn();
  const later = [ask(), ask()];
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.end(1);
  expect(await first).toBe(1);
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]?.end(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('a run that fails fails its own callers only', async () => {
  const { runs, ask } = heldWork();
  const first = ask();
  await turn();
  const second = ask();
  runs[0]?.fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await turn();
  runs[1]?.end(2);
  expect(await second).toBe(2);
});
