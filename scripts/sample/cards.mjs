import { dayAt } from './book.mjs';

const merchants = [
  'AIRFARE',
  'CAR HIRE',
  'CATERING',
  'CLOUD HOSTING',
  'CONFERENCE',
  'COURIER',
  'FUEL',
  'HARDWARE',
  'HOTEL',
  'OFFICE SUPPLIES',
  'PARKING',
  'POSTAGE',
  'RAIL',
  'RESTAURANT',
  'SOFTWARE',
  'TAXI',
  'TELECOM',
  'TOLL',
  'TOOLS',
  'TRAINING',
];

/**
 * The company's cards: purchases, some refunds, and one bank line for the bill of each month. Money that goes out is
 * negative. The last month's bill is not booked yet.
 */
export function cardScenarios(book, random) {
  const cards = ['4417', '4425', '4433', '4458', '4466', '4474'];
  const months = 11;

  const purchasesOf = (card, month) => {
    const bill = `${card}-2025-${String(month + 1).padStart(2, '0')}`;
    const bookedOn = () => Math.max(0, dayAt(month, random.between(1, 28)));
    const buy = (cents) =>
      book.purchase({
        bill,
        bookedOn: bookedOn(),
        merchant: `${random.pick(merchants)} ${random.between(100, 999)}`,
        cents,
      });
    const bought = Array.from({ length: random.between(10, 37) }, () =>
      buy(-(random.chance(80) ? random.between(300, 12_000) : random.between(12_000, 90_000))),
    );
    if (!random.chance(40)) return bought;
    const refunds = Array.from({ length: random.between(1, 3) }, () => {
      const { merchant, cents } = random.pick(bought);
      return Object.assign(buy(-Math.round((cents * random.pick([30, 50, 100])) / 100)), { merchant });
    });
    return [...bought, ...refunds];
  };

  const bookBill = (card, month) => {
    const purchases = purchasesOf(card, month);
    if (month === months - 1) return;
    const total = purchases.reduce((sum, { cents }) => sum + cents, 0);
    const fate = random.between(0, 99);
    // About two of 20 bills carry a charge that is not a purchase, and one has a purchase without a record.
    const charge = fate < 10 ? -random.between(100, Math.floor(Math.abs(total) / 200)) : 0;
    const unrecorded = fate >= 95 ? -Math.floor(Math.abs(total) / 12) : 0;
    const line = book.line({
      bookedOn: dayAt(month + 1, random.between(5, 9)),
      cents: total + charge + unrecorded,
      channel: 'card_bill',
      text: `CARD BILL ${card}`,
    });
    if (unrecorded === 0)
      book.composite(
        charge === 0 ? 'card_bill' : 'card_bill_with_charge',
        charge === 0 ? 'MATCH' : 'POSSIBLE',
        line,
        purchases,
      );
  };

  return {
    cardBills() {
      for (const card of cards) for (let month = 0; month < months; month++) bookBill(card, month);
    },
  };
}
