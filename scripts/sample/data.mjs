import { dateText, openBook } from './book.mjs';
import { cardScenarios } from './cards.mjs';
import { compositeScenarios } from './composites.mjs';
import { pairScenarios } from './pairs.mjs';
import { paymentsInto } from './payments.mjs';
import { seededRandom } from './random.mjs';
import { customerNames } from './text.mjs';

const seed = 20250107;
const customerCount = 420;

/** Number of cases of each scenario. */
const counts = {
  plain: 3050,
  cardFee: 400,
  samePrice: 60,
  twins: 40,
  installments: 110,
  split: 110,
  secondPayment: 60,
  splitWithFee: 4,
  ambiguousSplit: 12,
  splitTrap: 4,
  collective: 110,
  cardBills: 1,
  unpaid: 260,
  cancelled: 60,
  otherLine: 330,
  unexplained: 90,
  lookalike: 70,
  trap: 24,
};

const amountText = (cents) =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;

function addStories(random) {
  const customers = customerNames(random, customerCount).map((name, index) => ({
    name,
    number: `C${String(index + 1).padStart(4, '0')}`,
    account: String(20_417 + 37 * index),
  }));
  const book = openBook(random);
  const payments = paymentsInto(book, random, customers);
  const add = {
    ...pairScenarios(book, random, customers, payments),
    ...compositeScenarios(book, random, customers, payments),
    ...cardScenarios(book, random),
  };
  for (const [scenario, count] of Object.entries(counts)) for (let index = 0; index < count; index++) add[scenario]();
  return book.close();
}

/**
 * A year of a wholesaler's invoices, bank lines and card purchases, and which belong together. Always the same.
 *
 * @returns {Record<'invoices' | 'bankLines' | 'cardPurchases' | 'truth' | 'compositeTruth', string[][]>} Rows with a
 *   header row.
 */
export function sampleData() {
  const { invoices, lines, purchases, pairs, composites } = addStories(seededRandom(seed));
  return {
    invoices: [
      ['invoice_no', 'account', 'customer', 'issued_on', 'due_on', 'amount', 'terms', 'status'],
      ...invoices.map((row) => [
        row.id,
        row.customer.number,
        row.customer.name,
        dateText(row.issuedOn),
        dateText(row.dueOn),
        amountText(row.cents),
        row.terms,
        row.status,
      ]),
    ],
    bankLines: [
      ['line_id', 'booked_on', 'amount', 'channel', 'account', 'text', 'part'],
      ...lines.map((row) => [
        row.id,
        dateText(row.bookedOn),
        amountText(row.cents),
        row.channel,
        row.account,
        row.text,
        row.part,
      ]),
    ],
    cardPurchases: [
      ['purchase_id', 'booked_on', 'amount', 'bill', 'merchant'],
      ...purchases.map((row) => [row.id, dateText(row.bookedOn), amountText(row.cents), row.bill, row.merchant]),
    ],
    truth: [['invoice_no', 'line_id', 'scenario'], ...pairs.map((row) => [row.invoice.id, row.line.id, row.scenario])],
    compositeTruth: [
      ['target', 'scenario', 'outcome', 'members'],
      ...composites.map((row) => [row.target.id, row.scenario, row.outcome, row.members.map(({ id }) => id).join(' ')]),
    ],
  };
}
