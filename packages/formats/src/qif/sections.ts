/** The part of a QIF file that a header begins. */
export type QifSection = 'transactions' | 'investments' | 'account' | 'other';

const transactionTypes = new Set(['bank', 'cash', 'ccard', 'oth a', 'oth l', 'invoice', 'bill', 'tax']);
const investmentTypes = new Set(['invst', 'port', '401(k)/403(b)']);

/** Returns the section of a header; null for a header that begins none, such as `Option:AutoSwitch`. */
export function sectionOf(header: string): QifSection | null {
  const [kind = '', type = ''] = header.split(':').map((part) => part.trim().toLowerCase());
  if (kind === 'account') return 'account';
  if (kind !== 'type') return null;
  if (investmentTypes.has(type)) return 'investments';
  return transactionTypes.has(type) ? 'transactions' : 'other';
}

/** Returns the type of account that a header names (`Bank`); null where it names none. */
export const typeOf = (header: string): string | null => /^type\s*:\s*(.+)$/i.exec(header)?.[1]?.trim() ?? null;
