import { cellText } from './words';

test('a long value is cut', () => {
  expect(cellText('x'.repeat(1_000_000))).toHaveLength(121);
});
