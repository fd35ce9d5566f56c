import { atMost } from './at-most';

test('no more works run at once than are allowed, and each begins in its turn, after failures too', async () => {
  const limited = atMost(2);
  const begun: number[] = [];
  const ends: ((fails: boolean) => void)[] = [];
  const works = [0, 1, 2, 3].map((name) =>
    limited(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(name);
          ends.push((fails) => (fails ? reject(new Error('refused')) : resolve(name)));
        }),
    ).catch(() => -1),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.(true);
  await works[1];
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.(false);
  await works[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  ends.slice(2).forEach((end) => end(false));
  expect(await Promise.all(works)).toEqual([0, -1, 2, 3]);
});
