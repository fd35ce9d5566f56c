import { halfOf } from './halves';

const places = 4_000;

test.each([1, 2, 3, 4, 5, 10, 50, 113, 500, 1_000, 5_000])(
  'half of the pairs of records that are %d places apart have one in each half',
  (distance) => {
    let parted = 0;
    for (let place = 0; place < places; place++) if (halfOf(place) !== halfOf(place + distance)) parted++;
    expect(parted / places).toBeGreaterThan(0.46);
    expect(parted / places).toBeLessThan(0.54);
  },
);
