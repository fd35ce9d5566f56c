import type { JsonObject } from '../values/types';
import { suggestRuleSet } from '.';

/** Returns a generator of whole numbers below a bound, the same each time. */
function random(): (below: number) => number {
  let state = 5;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Returns invoices, payments of most, one in ten of which names no number, and other payments. */
function paidInvoices(count: number, others: number): { left: JsonObject[]; right: JsonObject[] } {
  const next = random();
  const day = (at: number): string => new Date(1.7e12 + at * 864e5).toISOString().slice(0, 10);
  const left: JsonObject[] = [];
  const right: JsonObject[] = [];
  for (let at = 0; at < count; at++) {
    const issued = next(200);
    const number = String(10_000 + at * 7);
    const gross = 1_000 + next(300_000);
    left.push({ number, gross: gross / 100, issued: day(issued) });
    if (next(10) === 0) continue;
    const paid = next(15) === 0 ? Math.round(gross * 0.98) : gross;
    const text = next(10) === 0 ? 'TRANSFER  thanks' : `TRANSFER ${number} thanks`;
    right.push({ text, amount: paid / 100, booked: day(issued + 3 + next(40)) });
  }
  for (let at = 0; at < others; at++)
    right.push({ text: `CARD shop${next(100_000)}`, amount: (1_000 + next(300_000)) / 100, booked: day(next(240)) });
  return { left, right: right.reverse() };
}

test('payments that name no number are found by their amounts, where nearly all others name one', () => {
  const others = 200;
  const { left, right } = paidInvoices(2_000, others);
  const found = suggestRuleSet({ left, right, totals: { left: left.length, right: right.length } });
  if (!found.connected) throw new Error(found.reason);
  expect(found.expected.matches).toBeGreaterThan(0.97 * (right.length - others));
});
