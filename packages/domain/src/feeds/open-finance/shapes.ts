/**
 * The data of an item, in the words of the API. Dates are days (`2026-11-20`), times ISO 8601 in UTC. Amounts have at
 * most four decimals, so that JSON carries them exactly.
 */
export interface Account {
  /** For a credit card its cardId. */
  id: string;
  type: AccountType;
  name: string;
  number: string | null;
  balance: number;
  currencyCode: string;
  updatedAt: string;
}

export const accountTypes = ['CHECKING', 'SAVINGS', 'CREDIT_CARD'] as const;
export type AccountType = (typeof accountTypes)[number];

export interface Transaction {
  /** Stable: the same transaction has it at every sync, whether pending or posted. */
  id: string;
  accountId: string;
  date: string;
  description: string;
  descriptionRaw: string | null;
  type: Direction;
  /** Never negative: `type` is the sign. */
  amount: number;
  /** Change of the account's balance: negative for DEBIT, purchases with a card included. */
  signedAmount: number;
  currencyCode: string;
  status: TransactionStatus;
  balanceAfter: number | null;
  category: string | null;
  operationType: OperationType | null;
  /** Id at the institution. */
  providerId: string | null;
  paymentData: PaymentData | null;
  createdAt: string;
  updatedAt: string;
}

export const directions = ['DEBIT', 'CREDIT'] as const;
export type Direction = (typeof directions)[number];

export const transactionStatuses = ['POSTED', 'PENDING'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const operationTypes = ['PIX', 'TED', 'BOLETO', 'CARD', 'FEE', 'SALARY', 'INTEREST', 'OTHER'] as const;
export type OperationType = (typeof operationTypes)[number];

export interface PaymentData {
  payer: Party | null;
  receiver: Party | null;
  /** The billId, if it pays a card's bill. */
  referenceNumber: string | null;
  reason: string | null;
  boleto: { digitableLine: string | null; barcode: string | null; dueDate: string | null } | null;
}

export interface Party {
  name: string | null;
  document: string | null;
  branch: string | null;
  account: string | null;
  ispb: string | null;
}

export interface CardTransaction extends Transaction {
  /** Equal to accountId. */
  cardId: string;
  cardMetadata: CardMetadata;
  merchant: { name: string; cnpj: string | null } | null;
}

export interface CardMetadata {
  cardNumberLast4: string;
  /** From 1; null without installments. */
  installmentNumber: number | null;
  totalInstallments: number | null;
  /** Sum of all installments. */
  totalAmount: number | null;
  purchaseDate: string;
  /** The bill of the transaction; null while that bill is open. */
  billId: string | null;
  payeeMcc: string | null;
  originalAmount: number | null;
  originalCurrencyCode: string | null;
  feeType: string | null;
}

export interface CreditCard {
  id: string;
  name: string;
  brand: string;
  level: string | null;
  numberLast4: string;
  holderType: HolderType;
  status: CardStatus;
  currencyCode: string;
  creditLimit: number;
  availableCreditLimit: number;
  /** The amount owed. */
  balance: number;
  minimumPayment: number | null;
  closingDate: string | null;
  dueDate: string | null;
  updatedAt: string;
}

export const holderTypes = ['MAIN', 'ADDITIONAL'] as const;
export type HolderType = (typeof holderTypes)[number];

export const cardStatuses = ['ACTIVE', 'BLOCKED', 'CANCELLED'] as const;
export type CardStatus = (typeof cardStatuses)[number];

export interface Investment {
  id: string;
  type: InvestmentType;
  name: string;
  code: string | null;
  balance: number;
  currencyCode: string;
  updatedAt: string;
}

export const investmentTypes = ['FIXED_INCOME', 'MUTUAL_FUND', 'EQUITY', 'OTHER'] as const;
export type InvestmentType = (typeof investmentTypes)[number];

export interface InvestmentTransaction {
  id: string;
  investmentId: string;
  type: InvestmentOperation;
  movementType: Direction;
  date: string;
  tradeDate: string | null;
  quantity: number | null;
  unitPrice: number | null;
  amount: number;
  netAmount: number | null;
  currencyCode: string;
  description: string | null;
  brokerageNumber: string | null;
  expenses: InvestmentExpenses | null;
}

export const investmentOperations = ['BUY', 'SELL', 'INTEREST', 'TAX', 'TRANSFER', 'AMORTIZATION'] as const;
export type InvestmentOperation = (typeof investmentOperations)[number];

export interface InvestmentExpenses {
  incomeTax: number;
  brokerageFee: number;
  settlementFee: number;
  custodyFee: number;
  other: number;
}
