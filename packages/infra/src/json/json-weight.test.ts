import { bytesPerWeight, jsonWeight } from './json-weight';

const weightOf = (value: unknown): number => jsonWeight(Buffer.from(JSON.stringify(value)));

test.each<[string, unknown, number]>([
  ['empty objects', Array.from({ length: 1_000 }, () => ({})), 64],
  ['empty arrays in arrays', Array.from({ length: 1_000 }, () => [[]]), 2 * 32 + 24],
  ['objects whose names are numbers', Array.from({ length: 1_000 }, () => ({ 20: 0 })), 247],
  ['objects whose names are larger numbers', Array.from({ length: 1_000 }, () => ({ 900: 0 })), 210],
  ['small numbers', Array.from({ length: 1_000 }, () => 7), 8],
])('%s weigh what they take once they are parsed, and no less', (_what, values, bytesOfEach) => {
  expect(weightOf(values) * bytesPerWeight).toBeGreaterThanOrEqual(1_000 * bytesOfEach);
});

test('flat text weighs little more than itself', () => {
  const text = 'x'.repeat(10_000);
  expect(weightOf({ text })).toBeLessThan(10_100);
});
