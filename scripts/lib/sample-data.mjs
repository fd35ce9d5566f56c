import { seededRandom } from './sample-random.mjs';
import { customerNames, printedName, printedReference } from './sample-text.mjs';

const seed = 20250107;
const dayMs = 86_400_000;
const firstDay = Date.UTC(2025, 0, 6);

const dateText = (day) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
const amountText = (cents) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Collects both sides and what belongs together; bank lines get their ids once they are in booking order. */
function ledger(random) {
  const invoices = [];
  const lines = [];
  const truth = [];
  return {
    invoice(customer, { issuedOn, dueOn, cents, terms = 'net', status = 'open' }) {
      const invoice = { id: '', customer, issuedOn, dueOn, cents, terms, status };
      invoices.push(invoice);
      return invoice;
    },
    line({ bookedOn, cents, channel, text }) {
      const line = { id: '', bookedOn, cents, channel, text };
      lines.push(line);
      return line;
    },
    pair: (invoice, line, kind, scenario) => truth.push({ invoice, line, kind, scenario }),
    number() {
      const inOrder = random.shuffle(invoices).sort((a, b) => a.issuedOn - b.issuedOn);
      inOrder.forEach((invoice, index) => (invoice.id = `INV-2025-${String(index + 1).padStart(5, '0')}`));
      invoices.splice(0, invoices.length, ...inOrder);
    },
    finish() {
      const booked = random.shuffle(lines).sort((a, b) => a.bookedOn - b.bookedOn);
      booked.forEach((line, index) => (line.id = `BL-${String(index + 1).padStart(6, '0')}`));
      for (const line of booked) line.text = typeof line.text === 'function' ? line.text() : line.text;
      truth.sort((a, b) => (a.invoice.id < b.invoice.id ? -1 : a.invoice.id > b.invoice.id ? 1 : a.line.id < b.line.id ? -1 : 1));
      return { invoices, lines: booked, truth };
    },
  };
}

function writers(random, book, customers) {
  const price = () => {
    const band = random.between(0, 9);
    if (band < 5) return random.between(2_500, 60_000);
    if (band < 9) return random.between(60_000, 900_000);
    return random.between(900_000, 6_000_000);
  };
  const catalogue = [4_900, 9_900, 14_900, 24_900, 39_900, 79_900, 129_000, 249_000];

  const newInvoice = (details = {}) => {
    const issuedOn = details.issuedOn ?? random.between(0, 330);
    const dueOn = issuedOn + random.pick([14, 30, 30, 30, 45]);
    return book.invoice(details.customer ?? random.pick(customers), { issuedOn, dueOn, cents: price(), ...details });
  };
  const payDay = (invoice) => {
    const late = random.between(0, 99);
    if (late < 55) return invoice.dueOn + random.between(-3, 2);
    if (late < 90) return invoice.dueOn + random.between(-8, 8);
    return invoice.dueOn + random.between(9, 19);
  };
  const lead = { transfer: ['TRANSFER FROM', 'CREDIT', 'FASTER PAYMENT', 'SEPA CREDIT'], card: ['CARD SETTLEMENT', 'CARD TAKINGS'], debit: ['DIRECT DEBIT COLLECTION'] };

  /** The text is made when every invoice has its number. */
  const textOf = (channel, invoices, { referencePercent, typoPercent = 12, namePercent = 92 }) => () => {
    const [first] = invoices;
    const parts = [random.pick(lead[channel])];
    const referenced = random.chance(referencePercent);
    if (random.chance(namePercent) || !referenced) parts.push(printedName(random, first.customer, typoPercent));
    if (referenced) parts.push(invoices.map((invoice) => printedReference(random, invoice.id, invoices.length > 1 ? 0 : 1.5)).join(', '));
    else if (random.chance(40)) parts.push(random.pick(['THANK YOU', 'PAYMENT', 'INVOICE', 'MONTHLY', 'AS AGREED', 'ORDER', 'BALANCE']));
    return parts.join(' ');
  };
  const pay = (invoice, scenario, details = {}) => {
    const channel = details.channel ?? (random.chance(12) ? 'debit' : 'transfer');
    const cents = details.cents ?? invoice.cents;
    const line = book.line({ bookedOn: payDay(invoice), cents, channel, text: textOf(channel, [invoice], { referencePercent: 70, ...details }) });
    book.pair(invoice, line, 'one_to_one', scenario);
  };
  const unexplained = (customer, bookedOn, cents) => {
    const text = `${random.pick(lead.transfer)} ${printedName(random, customer, 12)} ${random.pick(['DEPOSIT', 'ADVANCE', 'ORDER'])}`;
    book.line({ bookedOn, cents, channel: 'transfer', text });
  };

  return {
    plain: () => pay(newInvoice(), 'plain'),
    /** The acquirer keeps its fee, 0.9 to 3 %. */
    cardFee() {
      const invoice = newInvoice({ cents: random.between(3_000, 150_000) });
      pay(invoice, 'card_fee', { channel: 'card', cents: invoice.cents - Math.round((invoice.cents * random.between(90, 300)) / 10_000) });
    },
    /** Many customers, one price, days apart. */
    samePrice() {
      const cents = random.pick(catalogue);
      const issuedOn = random.between(0, 330);
      for (const customer of random.shuffle(customers).slice(0, 6)) {
        pay(newInvoice({ customer, cents, issuedOn: issuedOn + random.between(0, 3) }), 'same_amount', { referencePercent: 50 });
      }
    },
    /** Two invoices that nothing but the reference tells apart; without it nobody can. */
    twins() {
      const details = { customer: random.pick(customers), cents: random.pick(catalogue), issuedOn: random.between(0, 330), terms: 'net 30' };
      const referencePercent = random.chance(60) ? 100 : 0;
      for (let count = 0; count < 2; count += 1) {
        const invoice = newInvoice({ ...details, dueOn: details.issuedOn + 30 });
        const line = book.line({ bookedOn: invoice.dueOn, cents: invoice.cents, channel: 'transfer', text: textOf('transfer', [invoice], { referencePercent, typoPercent: 0 }) });
        book.pair(invoice, line, 'one_to_one', 'twin');
      }
    },
    installments() {
      const count = random.pick([2, 3, 3, 4, 6]);
      const invoice = newInvoice({ issuedOn: random.between(0, 190), cents: random.between(90_000, 2_400_000), terms: `${count} installments` });
      const share = Math.floor(invoice.cents / count);
      for (let part = 1; part <= count; part += 1) {
        const cents = part === count ? invoice.cents - share * (count - 1) : share;
        const bookedOn = invoice.issuedOn + 30 * part + random.between(-2, 3);
        const name = textOf('transfer', [invoice], { referencePercent: 60 });
        const line = book.line({ bookedOn, cents, channel: 'transfer', text: () => `${name()} ${part}/${count}` });
        book.pair(invoice, line, 'group', 'installment');
      }
    },
    partialPayments() {
      const invoice = newInvoice({ cents: random.between(50_000, 1_500_000) });
      const first = Math.round((invoice.cents * random.between(30, 70)) / 100);
      const start = payDay(invoice);
      for (const [cents, bookedOn] of [[first, start], [invoice.cents - first, start + random.between(5, 25)]]) {
        const line = book.line({ bookedOn, cents, channel: 'transfer', text: textOf('transfer', [invoice], { referencePercent: 60 }) });
        book.pair(invoice, line, 'group', 'partial_payment');
      }
    },
    /** One transfer for several invoices of a customer. */
    collective() {
      const customer = random.pick(customers);
      const issuedOn = random.between(0, 320);
      const members = Array.from({ length: random.between(2, 5) }, () => newInvoice({ customer, issuedOn: issuedOn + random.between(0, 6), cents: random.between(5_000, 300_000) }));
      const cents = members.reduce((sum, invoice) => sum + invoice.cents, 0);
      const line = book.line({ bookedOn: issuedOn + random.between(28, 40), cents, channel: 'transfer', text: textOf('transfer', members, { referencePercent: 45 }) });
      for (const invoice of members) book.pair(invoice, line, 'group', 'collective_payment');
    },
    unpaid: () => newInvoice(),
    /** Cancelled, and reissued under another number: only the second one is paid. */
    cancelled() {
      const invoice = newInvoice({ status: 'cancelled' });
      pay(newInvoice({ customer: invoice.customer, cents: invoice.cents, issuedOn: invoice.issuedOn + random.between(1, 4) }), 'reissued');
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
    /** Money from a customer that no invoice explains. */
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

const signed = (cents) => (cents < 0 ? `-${amountText(-cents)}` : amountText(cents));

/**
 * A year of a wholesaler's invoices and bank lines, and which belong together. Always the same.
 *
 * @returns {{ invoices: string[][], bankLines: string[][], truth: string[][] }} Rows with a header row.
 */
export function sampleData() {
  const random = seededRandom(seed);
  const customers = customerNames(random, 420);
  const book = ledger(random);
  const write = writers(random, book, customers);
  const counts = {
    plain: 3050, cardFee: 400, samePrice: 60, twins: 40, installments: 80, partialPayments: 110, collective: 110,
    unpaid: 260, cancelled: 60, otherLine: 330, unexplained: 90, lookalike: 70, trap: 24,
  };
  for (const [scenario, count] of Object.entries(counts)) for (let index = 0; index < count; index += 1) write[scenario]();
  book.number();
  const { invoices, lines, truth } = book.finish();
  return {
    invoices: [
      ['invoice_no', 'customer', 'issued_on', 'due_on', 'amount', 'terms', 'status'],
      ...invoices.map((row) => [row.id, row.customer, dateText(row.issuedOn), dateText(row.dueOn), signed(row.cents), row.terms, row.status]),
    ],
    bankLines: [
      ['line_id', 'booked_on', 'amount', 'channel', 'text'],
      ...lines.map((row) => [row.id, dateText(row.bookedOn), signed(row.cents), row.channel, row.text]),
    ],
    truth: [['invoice_no', 'line_id', 'kind', 'scenario'], ...truth.map((row) => [row.invoice.id, row.line.id, row.kind, row.scenario])],
  };
}
