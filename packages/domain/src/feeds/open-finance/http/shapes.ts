import { providerBadResponse } from '../failures';
import {
  executionStatuses,
  providerStatuses,
  type Connector,
  type ExecutionStatus,
  type ProviderItem,
} from '../provider';
import {
  accountTypes,
  cardStatuses,
  directions,
  holderTypes,
  investmentOperations,
  investmentTypes,
  operationTypes,
  transactionStatuses,
  type Account,
  type CardTransaction,
  type CreditCard,
  type Investment,
  type InvestmentTransaction,
  type Party,
  type PaymentData,
  type Transaction,
} from '../shapes';
import type { Reader } from './read';

const startOf = (day: string): string => `${day}T00:00:00.000Z`;

/** Messages in our own words: those of the provider may contain anything. */
const messages: Partial<Record<ExecutionStatus, string>> = {
  PARTIAL_SUCCESS: 'The institution did not show all of its data',
  INVALID_CREDENTIALS: 'The institution does not accept these credentials',
  INVALID_CREDENTIALS_MFA: 'The institution does not accept the second factor',
  ACCOUNT_LOCKED: 'The institution has locked the access',
  SITE_NOT_AVAILABLE: 'The institution cannot be reached at the moment',
  USER_INPUT_TIMEOUT: 'What the institution asked for did not come in time',
};

export function connectorOf(from: Reader): Connector {
  return {
    id: from.id('id'),
    name: from.text('name'),
    parameters: from.list('parameters').map((parameter) => ({
      name: parameter.id('name'),
      label: parameter.textOrNull('label') ?? parameter.id('name'),
      required: parameter.flag('required'),
      secret: parameter.flag('secret'),
    })),
  };
}

export function itemOf(from: Reader): ProviderItem {
  const status = from.oneOf('status', providerStatuses);
  const executionStatus = from.oneOf('executionStatus', executionStatuses);
  const failed = status === 'LOGIN_ERROR' || status === 'OUTDATED' || executionStatus === 'PARTIAL_SUCCESS';
  const [parameter, action] = [from.part('parameter'), from.part('userAction')];
  if (
    (status === 'WAITING_USER_INPUT') !== (parameter !== null) ||
    (status === 'WAITING_USER_ACTION') !== (action !== null)
  ) {
    throw providerBadResponse('the status of the item does not fit its parameter or userAction');
  }
  return {
    id: from.id('id'),
    status,
    executionStatus,
    error: failed
      ? { code: executionStatus, message: messages[executionStatus] ?? 'The provider could not finish' }
      : null,
    parameter: parameter && {
      name: parameter.id('name'),
      label: parameter.textOrNull('label') ?? parameter.id('name'),
      type: parameter.oneOfOrNull('type', ['text', 'number', 'password', 'image']) ?? 'text',
      data: parameter.textOrNull('data'),
      expiresAt: required(parameter.timeOrNull('expiresAt'), 'parameter/expiresAt'),
    },
    userAction: action && {
      type: action.oneOf('type', ['app', 'qr', 'redirect']),
      instructions: action.text('instructions'),
      url: httpsOrNull(action.textOrNull('url')),
      expiresAt: required(action.timeOrNull('expiresAt'), 'userAction/expiresAt'),
    },
    consentExpiresAt: from.timeOrNull('consentExpiresAt'),
  };
}

function required<T>(value: T | null, at: string): T {
  if (value === null) throw providerBadResponse(`${at} is missing`);
  return value;
}

/** Accepts https only: the user's browser opens the url. */
function httpsOrNull(url: string | null): string | null {
  if (url !== null && !(URL.canParse(url) && new URL(url).protocol === 'https:'))
    throw providerBadResponse('userAction/url is not an https url');
  return url;
}

export function accountOf(from: Reader): Account {
  return {
    id: from.id('id'),
    type: from.oneOf('type', accountTypes),
    name: from.text('name'),
    number: from.textOrNull('number'),
    balance: from.amount('balance'),
    currencyCode: from.text('currencyCode'),
    updatedAt: required(from.timeOrNull('updatedAt'), 'account/updatedAt'),
  };
}

/** @throws AppError provider_bad_response for a transaction of another account */
export function transactionOf(from: Reader, accountId: string): Transaction {
  if (from.id('accountId') !== accountId)
    throw providerBadResponse('a transaction belongs to another account than the one asked for');
  const [type, amount, date] = [from.oneOf('type', directions), from.unsigned('amount'), from.day('date')];
  const createdAt = from.timeOrNull('createdAt') ?? startOf(date);
  return {
    id: from.id('id'),
    accountId,
    date,
    description: from.text('description'),
    descriptionRaw: from.textOrNull('descriptionRaw'),
    type,
    amount,
    // The comparison avoids −0, which JSON does not carry.
    signedAmount: type === 'DEBIT' && amount !== 0 ? -amount : amount,
    currencyCode: from.text('currencyCode'),
    status: from.oneOf('status', transactionStatuses),
    balanceAfter: from.amountOrNull('balanceAfter'),
    category: from.textOrNull('category'),
    operationType: from.oneOfOrNull('operationType', operationTypes),
    providerId: from.textOrNull('providerId'),
    paymentData: paymentOf(from.part('paymentData')),
    createdAt,
    updatedAt: from.timeOrNull('updatedAt') ?? createdAt,
  };
}

function paymentOf(from: Reader | null): PaymentData | null {
  const boleto = from?.part('boleto') ?? null;
  return (
    from && {
      payer: partyOf(from.part('payer')),
      receiver: partyOf(from.part('receiver')),
      referenceNumber: from.textOrNull('referenceNumber'),
      reason: from.textOrNull('reason'),
      boleto: boleto && {
        digitableLine: boleto.textOrNull('digitableLine'),
        barcode: boleto.textOrNull('barcode'),
        dueDate: boleto.dayOrNull('dueDate'),
      },
    }
  );
}

const partyOf = (from: Reader | null): Party | null =>
  from && {
    name: from.textOrNull('name'),
    document: from.textOrNull('document'),
    branch: from.textOrNull('branch'),
    account: from.textOrNull('account'),
    ispb: from.textOrNull('ispb'),
  };

export function cardTransactionOf(from: Reader, cardId: string): CardTransaction {
  const transaction = transactionOf(from, cardId);
  const card = required(from.part('cardMetadata'), 'cardMetadata');
  const merchant = from.part('merchant');
  return {
    ...transaction,
    cardId,
    cardMetadata: {
      cardNumberLast4: card.text('cardNumberLast4'),
      installmentNumber: card.integerOrNull('installmentNumber'),
      totalInstallments: card.integerOrNull('totalInstallments'),
      totalAmount: card.amountOrNull('totalAmount'),
      purchaseDate: card.dayOrNull('purchaseDate') ?? transaction.date,
      billId: card.textOrNull('billId'),
      payeeMcc: card.textOrNull('payeeMcc'),
      originalAmount: card.amountOrNull('originalAmount'),
      originalCurrencyCode: card.textOrNull('originalCurrencyCode'),
      feeType: card.textOrNull('feeType'),
    },
    merchant: merchant && { name: merchant.text('name'), cnpj: merchant.textOrNull('cnpj') },
  };
}

export function creditCardOf(from: Reader): CreditCard {
  return {
    id: from.id('id'),
    name: from.text('name'),
    brand: from.text('brand'),
    level: from.textOrNull('level'),
    numberLast4: from.text('numberLast4'),
    holderType: from.oneOf('holderType', holderTypes),
    status: from.oneOf('status', cardStatuses),
    currencyCode: from.text('currencyCode'),
    creditLimit: from.amount('creditLimit'),
    availableCreditLimit: from.amount('availableCreditLimit'),
    balance: from.amount('balance'),
    minimumPayment: from.amountOrNull('minimumPayment'),
    closingDate: from.dayOrNull('closingDate'),
    dueDate: from.dayOrNull('dueDate'),
    updatedAt: required(from.timeOrNull('updatedAt'), 'card/updatedAt'),
  };
}

export function investmentOf(from: Reader): Investment {
  return {
    id: from.id('id'),
    type: from.oneOf('type', investmentTypes),
    name: from.text('name'),
    code: from.textOrNull('code'),
    balance: from.amount('balance'),
    currencyCode: from.text('currencyCode'),
    updatedAt: required(from.timeOrNull('updatedAt'), 'investment/updatedAt'),
  };
}

export function investmentTransactionOf(from: Reader, investmentId: string): InvestmentTransaction {
  if (from.id('investmentId') !== investmentId)
    throw providerBadResponse('a transaction belongs to another investment than the one asked for');
  const expenses = from.part('expenses');
  return {
    id: from.id('id'),
    investmentId,
    type: from.oneOf('type', investmentOperations),
    movementType: from.oneOf('movementType', directions),
    date: from.day('date'),
    tradeDate: from.dayOrNull('tradeDate'),
    quantity: from.numberOrNull('quantity'),
    unitPrice: from.numberOrNull('unitPrice'),
    amount: from.unsigned('amount'),
    netAmount: from.amountOrNull('netAmount'),
    currencyCode: from.text('currencyCode'),
    description: from.textOrNull('description'),
    brokerageNumber: from.textOrNull('brokerageNumber'),
    expenses: expenses && {
      incomeTax: expenses.amountOrNull('incomeTax') ?? 0,
      brokerageFee: expenses.amountOrNull('brokerageFee') ?? 0,
      settlementFee: expenses.amountOrNull('settlementFee') ?? 0,
      custodyFee: expenses.amountOrNull('custodyFee') ?? 0,
      other: expenses.amountOrNull('other') ?? 0,
    },
  };
}
