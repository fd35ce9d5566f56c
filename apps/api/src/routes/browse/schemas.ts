import { Type, type TProperties } from '@sinclair/typebox';
import {
  accountTypes,
  cardStatuses,
  directions,
  holderTypes,
  investmentOperations,
  investmentTypes,
  operationTypes,
  transactionStatuses,
} from '@tieout/domain';
import { closed, nullable, textEnum, timestamp, uuid } from '../../http';

const day = () => Type.String({ format: 'date' });
const text = () => nullable(Type.String());
const number = () => nullable(Type.Number());
const currencyCode = Type.String({ description: 'ISO 4217' });
const itemId = uuid();

const party = nullable(
  closed({ name: text(), document: text(), branch: text(), account: text(), ispb: text() }, { $id: 'PaymentParty' }),
);

const paymentData = nullable(
  closed(
    {
      payer: party,
      receiver: party,
      referenceNumber: nullable(Type.String({ description: 'Of the payment of a card’s bill: its billId' })),
      reason: text(),
      boleto: nullable(closed({ digitableLine: text(), barcode: text(), dueDate: nullable(day()) }, { $id: 'Boleto' })),
    },
    { $id: 'PaymentData' },
  ),
);

const transaction = {
  id: Type.String({ description: 'The same in every sync' }),
  accountId: Type.String(),
  itemId,
  date: day(),
  description: Type.String(),
  descriptionRaw: text(),
  type: textEnum(directions),
  amount: Type.Number({ minimum: 0 }),
  signedAmount: Type.Number({
    description: 'The change of the balance: negative for DEBIT, which includes purchases with a card',
  }),
  currencyCode,
  status: textEnum(transactionStatuses),
  balanceAfter: number(),
  category: text(),
  operationType: nullable(textEnum(operationTypes)),
  providerId: text(),
  paymentData,
  createdAt: timestamp(),
  updatedAt: timestamp(),
};

const accountTransaction = closed(transaction, { $id: 'AccountTransaction' });

const cardTransaction = closed(
  {
    ...transaction,
    cardId: Type.String({ description: 'The accountId' }),
    cardMetadata: closed({
      cardNumberLast4: Type.String(),
      installmentNumber: nullable(Type.Integer({ description: 'From 1' })),
      totalInstallments: nullable(Type.Integer()),
      totalAmount: nullable(Type.Number({ description: 'Of all installments' })),
      purchaseDate: day(),
      billId: nullable(Type.String({ description: 'null while the bill is open' })),
      payeeMcc: text(),
      originalAmount: number(),
      originalCurrencyCode: text(),
      feeType: text(),
    }),
    merchant: nullable(closed({ name: Type.String(), cnpj: text() })),
  },
  { $id: 'CardTransaction' },
);

const account = closed(
  {
    id: Type.String({ description: 'The accountId; of a CREDIT_CARD, the cardId' }),
    itemId,
    type: textEnum(accountTypes),
    name: Type.String(),
    number: text(),
    balance: Type.Number(),
    currencyCode,
    updatedAt: timestamp(),
  },
  { $id: 'Account' },
);

const creditCard = closed(
  {
    id: Type.String({ description: 'The cardId' }),
    itemId,
    name: Type.String(),
    brand: Type.String(),
    level: text(),
    numberLast4: Type.String(),
    holderType: textEnum(holderTypes),
    status: textEnum(cardStatuses),
    currencyCode,
    creditLimit: Type.Number(),
    availableCreditLimit: Type.Number(),
    balance: Type.Number({ description: 'The debt' }),
    minimumPayment: number(),
    closingDate: nullable(day()),
    dueDate: nullable(day()),
    updatedAt: timestamp(),
  },
  { $id: 'CreditCard' },
);

const investment = closed(
  {
    id: Type.String({ description: 'The investmentId' }),
    itemId,
    type: textEnum(investmentTypes),
    name: Type.String(),
    code: text(),
    balance: Type.Number(),
    currencyCode,
    updatedAt: timestamp(),
  },
  { $id: 'Investment' },
);

const investmentTransaction = closed(
  {
    id: Type.String(),
    investmentId: Type.String(),
    itemId,
    type: textEnum(investmentOperations),
    movementType: textEnum(directions),
    date: day(),
    tradeDate: nullable(day()),
    quantity: number(),
    unitPrice: number(),
    amount: Type.Number({ minimum: 0 }),
    netAmount: number(),
    currencyCode,
    description: text(),
    brokerageNumber: text(),
    expenses: nullable(
      closed({
        incomeTax: Type.Number(),
        brokerageFee: Type.Number(),
        settlementFee: Type.Number(),
        custodyFee: Type.Number(),
        other: Type.Number(),
      }),
    ),
  },
  { $id: 'InvestmentTransaction' },
);

const pagination = closed(
  {
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    totalPages: Type.Integer({ minimum: 0 }),
    totalRecords: Type.Integer({
      minimum: 0,
      description: 'Counted by the service; a number that the provider states is ignored',
    }),
  },
  { $id: 'Pagination' },
);

const paged = <P extends TProperties>(list: P) => closed({ pagination, ...list });

export const accountsAnswer = paged({ accounts: Type.Array(account) });
export const creditCardsAnswer = paged({ creditCards: Type.Array(creditCard) });
export const investmentsAnswer = paged({ investments: Type.Array(investment) });
export const accountTransactionsAnswer = paged({ transactions: Type.Array(accountTransaction) });
export const cardTransactionsAnswer = paged({ transactions: Type.Array(cardTransaction) });
export const investmentTransactionsAnswer = closed({ transactions: Type.Array(investmentTransaction) });

const maxRows = 500;

/** Query parameter with an id. */
export const idParameter = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

/** Query parameters of all operations. */
export const itemQuery = {
  itemId: idParameter('An item of POST /v1/items'),
  baseUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description:
        'Another base url of the provider: one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a ' +
        'path below it',
    }),
  ),
};

/** Query parameters of a list in pages. */
export const pagedQuery = (limit: number) => ({
  ...itemQuery,
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    format: 'int32',
    description: 'Counted from 1; a page after the last one is empty',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxRows,
    default: limit,
    format: 'int32',
    description: 'Rows on a page',
  }),
});
