/** The transactions of a statement of investments, and the effect of each on the cash of the account. */
const investmentKinds: Readonly<Record<string, 'total' | 'purchase' | 'none'>> = {
  BUYDEBT: 'purchase',
  BUYMF: 'purchase',
  BUYOPT: 'purchase',
  BUYOTHER: 'purchase',
  BUYSTOCK: 'purchase',
  CLOSUREOPT: 'none',
  INCOME: 'total',
  INVEXPENSE: 'total',
  JRNLFUND: 'none',
  JRNLSEC: 'none',
  MARGININTEREST: 'total',
  REINVEST: 'none',
  RETOFCAP: 'total',
  SELLDEBT: 'total',
  SELLMF: 'total',
  SELLOPT: 'total',
  SELLOTHER: 'total',
  SELLSTOCK: 'total',
  SPLIT: 'none',
  TRANSFER: 'none',
};

export const bankTransaction = 'STMTTRN';
/** Wraps a bank transaction in a statement of investments. */
export const investmentBankTransaction = 'INVBANKTRAN';

export const isTransaction = (tag: string): boolean => tag === bankTransaction || Object.hasOwn(investmentKinds, tag);

/** Tells how a transaction changes the cash: by its total, by its negative total, or not at all. */
export const cashEffect = (kind: string): 'total' | 'purchase' | 'none' => investmentKinds[kind] ?? 'total';
