import fc from 'fast-check';
import { SlotSet } from './slot-set';

test('it has those that have entered and not left, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant('enter'), fc.nat())), (steps) => {
      const roster = new SlotSet<number>();
      const there: { one: number; place: number }[] = [];
      steps.forEach((step, one) => {
        if (step === 'enter') there.push({ one, place: roster.add(one) });
        else if (there.length > 0)
          for (const { place } of there.splice(Number(step) % there.length, 1)) roster.remove(place);
      });
      expect([...roster].sort()).toEqual(there.map(({ one }) => one).sort());
      expect(roster.size).toBe(there.length);
    }),
  );
});
