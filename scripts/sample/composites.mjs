import { monthsLater } from './book.mjs';

const sumOf = (records) => records.reduce((sum, { cents }) => sum + cents, 0);

/** Stories of an invoice that several bank lines pay, and of a bank line that pays several invoices. */
export function compositeScenarios(book, random, customers, { newInvoice, payDay, receive, unexplained }) {
  const lastDay = 370;

  /** Splits an amount into `count` parts as people would: most of them round, the last one what remains. */
  const cut = (cents, count) => {
    const parts = [];
    for (let left = cents; parts.length < count - 1; left -= parts.at(-1)) {
      const about = (left * random.between(60, 140)) / 100 / (count - parts.length);
      const unit = random.pick([1, 100, 1_000, 5_000].filter((size) => size * 4 <= about));
      parts.push(Math.max(1, Math.round(about / unit)) * unit);
    }
    return [...parts, cents - parts.reduce((sum, part) => sum + part, 0)];
  };
  const receiveParts = (invoice, amounts, dayOf) =>
    amounts.map((cents, index) => receive([invoice], { cents, bookedOn: dayOf(index) }));

  return {
    /** Equal monthly parts by standing order. Parts that fall due after the sample's last day are not there yet. */
    installments() {
      const count = random.pick([2, 3, 3, 4, 6, 6, 10, 12]);
      const invoice = newInvoice({
        issuedOn: random.between(0, 250),
        cents: random.between(90_000, 2_400_000),
        terms: `${count} installments`,
      });
      const share = Math.floor(invoice.cents / count);
      const due = Array.from({ length: count }, (_, index) => ({
        bookedOn: monthsLater(invoice.issuedOn, index + 1) + random.between(-2, 3),
        cents: index < count - 1 ? share : invoice.cents - share * (count - 1),
        part: `${index + 1}/${count}`,
      }));
      const booked = due
        .filter(({ bookedOn }) => bookedOn <= lastDay)
        .map((details) => receive([invoice], { channel: 'standing_order', ...details }));
      const [scenario, outcome] =
        booked.length === count ? ['installments', 'MATCH'] : ['open_installments', 'POSSIBLE'];
      if (booked.length > 1) book.composite(scenario, outcome, invoice, booked);
    },
    /** Two to five transfers within days. */
    split() {
      const invoice = newInvoice({ cents: random.between(40_000, 1_500_000) });
      const start = payDay(invoice);
      const lines = receiveParts(invoice, cut(invoice.cents, random.between(2, 5)), () => start + random.between(0, 6));
      book.composite('split', 'MATCH', invoice, lines);
    },
    /** A first part, and the rest weeks later. */
    secondPayment() {
      const invoice = newInvoice({ cents: random.between(50_000, 1_500_000) });
      const start = payDay(invoice);
      const lines = receiveParts(invoice, cut(invoice.cents, 2), (index) => start + index * random.between(5, 25));
      book.composite('second_payment', 'MATCH', invoice, lines);
    },
    /** The bank keeps a fee of the last transfer, which nothing but the reference could explain. */
    splitWithFee() {
      const invoice = newInvoice({ cents: random.between(100_000, 900_000) });
      const start = payDay(invoice);
      const [first, second] = cut(invoice.cents, 2);
      const lines = receiveParts(invoice, [first, second - random.between(300, 1_500)], (index) => start + index);
      book.composite('split_with_fee', 'MATCH', invoice, lines);
    },
    /** Makes two pairs of transfers of one customer that each pay the invoice: both are possible. */
    ambiguousSplit() {
      const invoice = newInvoice({ cents: random.between(10, 90) * 1_000 });
      const start = payDay(invoice);
      const [one, other] = random.pick([
        [30, 40],
        [25, 45],
        [20, 35],
      ]);
      const part = (percent) => (invoice.cents * percent) / 100;
      const lines = receiveParts(invoice, [part(one), part(100 - one)], (index) => start + 2 * index);
      unexplained(invoice.customer, start, part(other));
      unexplained(invoice.customer, start + 2, part(100 - other));
      book.composite('ambiguous_split', 'POSSIBLE', invoice, lines);
    },
    /** An unpaid invoice, and two deposits of its customer that add up to it by chance: a trap. */
    splitTrap() {
      const invoice = newInvoice({ cents: random.between(10, 90) * 1_000 });
      const start = payDay(invoice);
      for (const cents of cut(invoice.cents, 2)) unexplained(invoice.customer, start + random.between(0, 6), cents);
    },
    /** One transfer for several invoices of a customer. */
    collective() {
      const customer = random.pick(customers);
      const issuedOn = random.between(0, 320);
      const invoices = Array.from({ length: random.between(2, 5) }, () =>
        newInvoice({ customer, issuedOn: issuedOn + random.between(0, 6), cents: random.between(5_000, 300_000) }),
      );
      const line = receive(invoices, {
        bookedOn: issuedOn + random.between(28, 40),
        cents: sumOf(invoices),
        text: { referencePercent: 45 },
      });
      book.composite('collective', 'MATCH', line, invoices);
    },
  };
}
