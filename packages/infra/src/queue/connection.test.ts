import fc from 'fast-check';
import { reconnectDelayMs } from './connection';

test('however long a store is away, it is asked for again within a second, and never without a pause', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (attempt) => {
      expect(reconnectDelayMs(attempt)).toBeLessThanOrEqual(1_000);
      expect(reconnectDelayMs(attempt)).toBeGreaterThanOrEqual(50);
    }),
  );
});
