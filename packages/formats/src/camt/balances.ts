import type { StatementBalance } from '../types';
import { moneyOf, signed } from './amounts';
import { find, textAt, type Element } from './element';

const types: Readonly<Record<string, string>> = {
  OPBD: 'opening',
  PRCD: 'opening',
  CLBD: 'closing',
  ITBD: 'interim',
  OPAV: 'opening_available',
  CLAV: 'available',
  ITAV: 'interim_available',
  FWAV: 'forward_available',
  XPCD: 'expected',
};

/** Reads a balance of a statement; none where it states no amount. */
export function balanceOf(element: Element): StatementBalance[] {
  const money = moneyOf(find(element, 'Amt'));
  const amount = money === null ? null : signed(money.amount, textAt(element, 'CdtDbtInd') ?? 'CRDT');
  if (money === null || amount === null) return [];
  const code = textAt(element, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry') ?? 'unknown';
  const date = textAt(element, 'Dt/Dt', 'Dt/DtTm');
  return [
    { type: types[code] ?? code, amount, currency: money.currency, date: date === null ? null : date.slice(0, 10) },
  ];
}
