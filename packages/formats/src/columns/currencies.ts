import type { ReadingWarning } from '../types';
import { decimalEvidence, isoCurrency } from './amounts';

const currencyOf = new RegExp(`(?<!\\p{L})(?:${isoCurrency}|[A-Z]{0,2}\\$|[€£¥₹₽₺₩₪₫₴₦฿₱₡₲₵])(?!\\p{L})`, 'u');
const noNumber = /[^\s\d.,'’+()-]/;

/** Currency codes by sign. A sign that is not listed, such as A$, counts as a currency of its own. */
const codes: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', US$: 'USD', '₹': 'INR', R$: 'BRL' };

/** Finds columns of amounts in several currencies. */
export class CurrencyColumn {
  private readonly examples = new Map<string, string>();

  add(value: string): void {
    if (this.examples.size > 1 || !noNumber.test(value) || decimalEvidence(value) === 'no number') return;
    const found = currencyOf.exec(value.toUpperCase())?.[0];
    if (found === undefined) return;
    const currency = codes[found] ?? found;
    if (!this.examples.has(currency)) this.examples.set(currency, value.trim());
  }

  /** Two amounts in different currencies, one of each; empty where the column has one currency. */
  get mixed(): string[] {
    return this.examples.size > 1 ? [...this.examples.values()] : [];
  }
}

export function currenciesWarning(column: string, examples: readonly string[]): ReadingWarning {
  const message =
    `The amounts are of several currencies, ${examples.map((example) => `"${example.slice(0, 40)}"`).join(' and ')}, ` +
    'and are read without them, so that 5 EUR equals 5 USD. Write the currency into a column of its own, or compare ' +
    'the currencies in a filter';
  return { code: 'column_mixed_currencies', column, message };
}
