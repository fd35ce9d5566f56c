import { printedName, printedReference } from './text.mjs';

const lead = {
  transfer: ['TRANSFER FROM', 'CREDIT', 'FASTER PAYMENT', 'SEPA CREDIT'],
  card: ['CARD SETTLEMENT', 'CARD TAKINGS'],
  debit: ['DIRECT DEBIT COLLECTION'],
  standing_order: ['STANDING ORDER'],
};
const acquirerAccount = '90001';

/** Prices that many invoices have, in cents. */
export const catalogue = [4_900, 9_900, 14_900, 24_900, 39_900, 79_900, 129_000, 249_000];

/**
 * Writes and pays invoices, the same in every scenario. A customer is `{ name, number, account }`: the
 * number is in the seller's ledger, the account at the bank.
 */
export function paymentsInto(book, random, customers) {
  const price = () => {
    const band = random.between(0, 9);
    if (band < 5) return random.between(2_500, 60_000);
    if (band < 9) return random.between(60_000, 900_000);
    return random.between(900_000, 6_000_000);
  };

  const newInvoice = (details = {}) => {
    const issuedOn = details.issuedOn ?? random.between(0, 330);
    const dueOn = issuedOn + random.pick([14, 30, 30, 30, 45]);
    return book.invoice({
      customer: details.customer ?? random.pick(customers),
      issuedOn,
      dueOn,
      cents: price(),
      ...details,
    });
  };

  const payDay = (invoice) => {
    const late = random.between(0, 99);
    if (late < 55) return invoice.dueOn + random.between(-3, 2);
    if (late < 90) return invoice.dueOn + random.between(-8, 8);
    return invoice.dueOn + random.between(9, 19);
  };

  const textOf =
    (channel, invoices, { referencePercent, typoPercent = 12, namePercent = 92 }) =>
    () => {
      const [first] = invoices;
      const parts = [random.pick(lead[channel])];
      const referenced = random.chance(referencePercent);
      if (random.chance(namePercent) || !referenced) parts.push(printedName(random, first.customer.name, typoPercent));
      if (referenced)
        parts.push(
          invoices.map((invoice) => printedReference(random, invoice.id, invoices.length > 1 ? 0 : 1.5)).join(', '),
        );
      else if (random.chance(40))
        parts.push(random.pick(['THANK YOU', 'PAYMENT', 'INVOICE', 'MONTHLY', 'AS AGREED', 'ORDER', 'BALANCE']));
      return parts.join(' ');
    };

  /** A bank line that pays one or several invoices of a customer; `text` says how it names them. */
  const receive = (invoices, { bookedOn, cents, channel = 'transfer', part = '', text = {} }) => {
    const printed = textOf(channel, invoices, { referencePercent: 60, ...text });
    const account = channel === 'card' ? acquirerAccount : invoices[0].customer.account;
    return book.line({ bookedOn, cents, channel, account, part, text: part ? () => `${printed()} ${part}` : printed });
  };

  /** Money of a customer that no invoice explains. */
  const unexplained = (customer, bookedOn, cents) => {
    const [transfer, name] = [random.pick(lead.transfer), printedName(random, customer.name, 12)];
    const text = `${transfer} ${name} ${random.pick(['DEPOSIT', 'ADVANCE', 'ORDER'])}`;
    return book.line({ bookedOn, cents, channel: 'transfer', account: customer.account, text });
  };

  return { price, newInvoice, payDay, receive, unexplained };
}
