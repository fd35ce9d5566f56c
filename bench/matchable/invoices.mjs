import { Choices, dayText, sidesOf } from './random-choice.mjs';

const forms = ['Ltd', 'GmbH', 'SA', 'Inc', 'BV'];
const firstDay = 19_700;

/** Invoices, and payments on an account whose memo mostly names them. */
export function invoices(count, seed = 2) {
  const choices = new Choices(seed);
  const customers = choices
    .words(Math.max(40, Math.floor(count / 20)), 3)
    .map((word) => `${word} ${choices.of(forms)}`);
  const pairs = Array.from({ length: count }, (_, at) => {
    const customer = choices.skewed(customers);
    const number = `INV-${2023 + (at % 2)}-${String(10_000 + at * 7).padStart(6, '0')}`;
    const total = Math.round(Math.exp(4 + 5 * choices.next()) * 100) / 100;
    const due = firstDay + choices.below(365);
    const named = choices.next();
    const reference =
      named < 0.5 ? number : named < 0.7 ? number.replaceAll('-', '') : named < 0.8 ? number.slice(4) : 'your invoice';
    const memo = choices.chance(0.7)
      ? `${customer.toUpperCase()} ${reference}`
      : `pmt ${reference} ${customer.slice(0, 12)}`;
    const paid = choices.chance(0.9) ? total : Math.round((total - 5 - 20 * choices.next()) * 100) / 100;
    return [
      { number, customer, total, due: dayText(due) },
      { memo, amount: paid, booked: dayText(due - 10 + choices.below(30)) },
    ];
  });
  return sidesOf(choices, pairs, 0.2);
}
