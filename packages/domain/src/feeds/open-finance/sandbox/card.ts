import { addMonths, formatDay } from '@tieout/engine';
import type { CardTransaction } from '../shapes';
import { dayIn, monthsOf, type Month } from './calendar';
import { reais, transactionOf, visible, type Entry } from './entries';
import { dice, digitsOf, idOf } from './random';
import type { SandboxState } from './state';

const closingDayOfMonth = 25;
const dueDayOfMonth = 5;

const merchants = [
  ['Mercado Bom Preco', '5411', 'groceries', 4_000, 42_000],
  ['Padaria Santa Clara', '5462', 'groceries', 900, 6_500],
  ['Posto Avenida', '5541', 'transport', 8_000, 28_000],
  ['Farmacia Vida', '5912', 'health', 1_500, 18_000],
  ['Cantina da Praca', '5812', 'restaurants', 3_500, 22_000],
  ['Livraria Cultura Viva', '5942', 'leisure', 2_900, 16_000],
  ['Streaming Tela', '4899', 'subscriptions', 3_990, 3_990],
] as const;

const shops = [
  ['Loja Eletronica Sul', '5732'],
  ['Moveis Horizonte', '5712'],
  ['Viagens Aurora', '4722'],
  ['Oficina Central', '7538'],
] as const;

/** A bill of the card. */
export interface Bill {
  id: string;
  closingDay: number;
  dueDay: number;
  /** Amount owed; positive. */
  cents: number;
}

interface Charge extends Entry {
  merchant: string | null;
  mcc: string | null;
  purchaseDay: number;
  installment?: { number: number; of: number; totalCents: number };
  original?: { cents: number; currencyCode: string };
  feeType?: string;
  /** A payment of a bill is on no bill itself. */
  isPayment?: boolean;
}

export const cardIdOf = ({ seed }: SandboxState): string => idOf(seed, 'card');
export const cardLast4 = ({ seed }: SandboxState): string => digitsOf(4, seed, 'card number');

/** Returns the closed bills, oldest first. */
export function billsOf(state: SandboxState): Bill[] {
  const charges = visible(state, chargesOf(state));
  return monthsOf(state)
    .map((month) => billOf(state, month, charges))
    .filter(({ closingDay, cents }) => closingDay <= state.untilDay && cents > 0);
}

function billOf({ seed }: SandboxState, month: Month, charges: readonly Charge[]): Bill {
  const closingDay = dayIn(month, closingDayOfMonth);
  const owed = charges.filter((charge) => closingDayFor(charge.day) === closingDay);
  return {
    id: idOf(seed, 'bill', month.name),
    closingDay,
    dueDay: addMonths(month.firstDay, 1) + dueDayOfMonth - 1,
    cents: -owed.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/** Returns the closing day of the bill that a charge of this day is on. */
function closingDayFor(day: number): number {
  const dayOfMonth = Number(formatDay(day).slice(8));
  const inThisMonth = day - dayOfMonth + closingDayOfMonth;
  return dayOfMonth <= closingDayOfMonth ? inThisMonth : addMonths(inThisMonth, 1);
}

export function cardTransactions(state: SandboxState): CardTransaction[] {
  const bills = billsOf(state);
  const payments = bills.map(({ id, dueDay, cents }): Charge => ({
    key: `payment-${id}`,
    day: dueDay,
    cents,
    description: 'Pagamento recebido',
    operationType: 'OTHER',
    category: 'payment',
    merchant: null,
    mcc: null,
    purchaseDay: dueDay,
    isPayment: true,
  }));
  return visible(state, [...chargesOf(state), ...payments]).map((charge) => cardTransactionOf(state, charge, bills));
}

function cardTransactionOf(state: SandboxState, charge: Charge, bills: readonly Bill[]): CardTransaction {
  const { installment, original, merchant } = charge;
  const bill = charge.isPayment ? undefined : bills.find(({ closingDay }) => closingDay === closingDayFor(charge.day));
  const cardId = cardIdOf(state);
  return {
    ...transactionOf(state, cardId, charge),
    cardId,
    cardMetadata: {
      cardNumberLast4: cardLast4(state),
      installmentNumber: installment?.number ?? null,
      totalInstallments: installment?.of ?? null,
      totalAmount: installment ? reais(installment.totalCents) : null,
      purchaseDate: formatDay(charge.purchaseDay),
      billId: bill?.id ?? null,
      payeeMcc: charge.mcc,
      originalAmount: original ? reais(original.cents) : null,
      originalCurrencyCode: original?.currencyCode ?? null,
      feeType: charge.feeType ?? null,
    },
    merchant: merchant === null ? null : { name: merchant, cnpj: digitsOf(14, merchant) },
  };
}

const chargesOf = (state: SandboxState): Charge[] =>
  monthsOf(state).flatMap((month) => [
    ...purchases(state, month),
    ...equalRides(month),
    ...installments(state, month),
    ...abroad(state, month),
  ]);

/** Makes single purchases, and refunds one of them. */
function purchases({ seed }: SandboxState, month: Month): Charge[] {
  const chance = dice(seed, 'purchases', month.name);
  const made = Array.from({ length: 20 }, (_, index): Charge => {
    const [merchant, mcc, category, minCents, maxCents] = chance.pick(merchants);
    const day = dayIn(month, chance.int(1, 28));
    return {
      key: `purchase-${month.name}-${index}`,
      day,
      cents: -chance.int(minCents, maxCents),
      description: merchant,
      operationType: 'CARD',
      category,
      merchant,
      mcc,
      purchaseDay: day,
    };
  });
  const returned = made[0] as Charge;
  return [
    ...made,
    {
      ...returned,
      key: `refund-${month.name}`,
      day: returned.day + 4,
      cents: -returned.cents,
      description: `Estorno ${returned.description}`,
      category: 'refund',
    },
  ];
}

/** Two rides on one day that differ in their ids only. */
function equalRides(month: Month): Charge[] {
  const day = dayIn(month, 12);
  return [0, 1].map((index) => ({
    key: `metro-${month.name}-${index}`,
    day,
    cents: -520,
    description: 'Metro Sao Paulo',
    operationType: 'CARD',
    category: 'transport',
    merchant: 'Metro Sao Paulo',
    mcc: '4111',
    purchaseDay: day,
  }));
}

const installmentCounts = [12, 6, 3] as const;

/** One purchase a month, paid over 12, 6 or 3 months, cycling; the first installment holds the remainder. */
function installments({ seed }: SandboxState, month: Month): Charge[] {
  const chance = dice(seed, 'installments', month.name);
  const count = installmentCounts[month.index % installmentCounts.length] as number;
  const [merchant, mcc] = chance.pick(shops);
  const purchaseDay = dayIn(month, chance.int(1, 24));
  const totalCents = chance.int(60_000, 480_000);
  const each = Math.floor(totalCents / count);
  return Array.from({ length: count }, (_, index) => ({
    key: `installment-${month.name}-${index + 1}`,
    day: addMonths(purchaseDay, index),
    cents: -(index === 0 ? totalCents - each * (count - 1) : each),
    description: `${merchant} ${String(index + 1).padStart(2, '0')}/${count}`,
    operationType: 'CARD',
    category: 'shopping',
    merchant,
    mcc,
    purchaseDay,
    installment: { number: index + 1, of: count, totalCents },
  }));
}

/** A purchase in dollars every third month, with its tax. */
function abroad({ seed }: SandboxState, month: Month): Charge[] {
  if (month.index % 3 !== 2) return [];
  const chance = dice(seed, 'abroad', month.name);
  const dollars = chance.int(1_500, 19_900);
  const cents = Math.round(dollars * 5.43);
  const day = dayIn(month, chance.int(1, 24));
  const common = { day, purchaseDay: day, operationType: 'CARD' as const, mcc: '5734' };
  return [
    {
      ...common,
      key: `abroad-${month.name}`,
      cents: -cents,
      description: 'Cloud Tools Inc',
      category: 'services',
      merchant: 'Cloud Tools Inc',
      original: { cents: -dollars, currencyCode: 'USD' },
    },
    {
      ...common,
      key: `iof-${month.name}`,
      cents: -Math.round(cents * 0.035),
      description: 'IOF compra internacional',
      operationType: 'FEE',
      category: 'tax',
      merchant: null,
      mcc: null,
      feeType: 'IOF',
    },
  ];
}
