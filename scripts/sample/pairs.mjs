import { catalogue } from './payments.mjs';

/** Stories of invoices that one bank line pays, or none, and of bank lines that have nothing to do with invoices. */
export function pairScenarios(book, random, customers, { price, newInvoice, payDay, receive, unexplained }) {
  const pay = (
    invoice,
    scenario,
    {
      channel = random.chance(12) ? 'debit' : 'transfer',
      cents = invoice.cents,
      bookedOn = payDay(invoice),
      ...text
    } = {},
  ) => {
    book.pair(
      invoice,
      receive([invoice], { bookedOn, cents, channel, text: { referencePercent: 70, ...text } }),
      scenario,
    );
  };

  return {
    plain: () => pay(newInvoice(), 'plain'),
    /** The acquirer keeps its fee, 0.9 to 3 %. */
    cardFee() {
      const invoice = newInvoice({ cents: random.between(3_000, 150_000) });
      pay(invoice, 'card_fee', {
        channel: 'card',
        cents: invoice.cents - Math.round((invoice.cents * random.between(90, 300)) / 10_000),
      });
    },
    /** Many customers, one price, days apart. */
    samePrice() {
      const cents = random.pick(catalogue);
      const issuedOn = random.between(0, 330);
      for (const customer of random.shuffle(customers).slice(0, 6)) {
        pay(newInvoice({ customer, cents, issuedOn: issuedOn + random.between(0, 3) }), 'same_amount', {
          referencePercent: 50,
        });
      }
    },
    /** Two invoices that differ in the reference only; without it both are possible. */
    twins() {
      const issuedOn = random.between(0, 330);
      const details = {
        customer: random.pick(customers),
        cents: random.pick(catalogue),
        issuedOn,
        dueOn: issuedOn + 30,
        terms: 'net 30',
      };
      const referencePercent = random.chance(60) ? 100 : 0;
      for (let count = 0; count < 2; count++) {
        const invoice = newInvoice(details);
        pay(invoice, 'twin', { channel: 'transfer', bookedOn: invoice.dueOn, referencePercent, typoPercent: 0 });
      }
    },
    unpaid: () => newInvoice(),
    /** Cancelled, and reissued under another number: only the second one is paid. */
    cancelled() {
      const invoice = newInvoice({ status: 'cancelled' });
      pay(
        newInvoice({
          customer: invoice.customer,
          cents: invoice.cents,
          issuedOn: invoice.issuedOn + random.between(1, 4),
        }),
        'reissued',
      );
    },
    otherLine() {
      const [channel, text, low, high] = random.pick([
        ['fee', 'ACCOUNT FEE', 500, 4_500],
        ['payroll', 'SALARY RUN', 180_000, 520_000],
        ['tax', 'TAX OFFICE', 40_000, 900_000],
        ['transfer', 'TRANSFER BETWEEN OWN ACCOUNTS', 100_000, 2_000_000],
        ['interest', 'INTEREST', 20, 3_000],
      ]);
      const incoming = channel === 'interest' || channel === 'transfer';
      const cents = random.between(low, high) * (incoming ? 1 : -1);
      book.line({ bookedOn: random.between(0, 370), cents, channel, text: `${text} ${random.between(1000, 9999)}` });
    },
    unexplained: () => unexplained(random.pick(customers), random.between(5, 360), price()),
    /** An unpaid invoice, and a transfer of the same amount from somebody else. */
    lookalike() {
      const invoice = newInvoice();
      unexplained(random.pick(customers), payDay(invoice), invoice.cents);
    },
    /** An unpaid invoice, and the same customer's deposit of the same amount for something else: a trap. */
    trap() {
      const invoice = newInvoice({ cents: random.pick(catalogue) });
      unexplained(invoice.customer, payDay(invoice), invoice.cents);
    },
  };
}
