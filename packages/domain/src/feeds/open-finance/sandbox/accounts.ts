import { formatDay } from '@tieout/engine';
import type { Account, CreditCard, Party, PaymentData, Transaction } from '../shapes';
import { dayIn, monthsOf, type Month } from './calendar';
import { billsOf, cardIdOf, cardLast4, cardTransactions } from './card';
import { currencyCode, reais, transactionOf, visible, type Entry } from './entries';
import { investmentTransfers } from './investments';
import { dice, digitsOf, idOf } from './random';
import type { SandboxState } from './state';

const openingCents = { checking: 850_000, savings: 1_200_000 };
const limitCents = 1_500_000;

export const checkingIdOf = ({ seed }: SandboxState): string => idOf(seed, 'checking');
export const savingsIdOf = ({ seed }: SandboxState): string => idOf(seed, 'savings');

const people = ['Ana Souza', 'Bruno Lima', 'Carla Mendes', 'Diego Rocha', 'Elisa Prado', 'Joao Araujo'] as const;
const billers = ['Energia Paulista', 'Agua e Saneamento', 'Telefonia Clara'] as const;

function party(name: string): Party {
  return {
    name,
    document: digitsOf(11, name),
    branch: digitsOf(4, name, 'branch'),
    account: digitsOf(7, name, 'account'),
    ispb: digitsOf(8, name, 'ispb'),
  };
}

function payment(name: string, cents: number, more: Partial<PaymentData> = {}): PaymentData {
  const [payer, receiver] = cents < 0 ? [null, party(name)] : [party(name), null];
  return { payer, receiver, referenceNumber: null, reason: null, boleto: null, ...more };
}

function boleto(name: string, key: string, dueDay: number, cents: number): PaymentData {
  return payment(name, cents, {
    boleto: { digitableLine: digitsOf(47, name, key), barcode: digitsOf(44, name, key), dueDate: formatDay(dueDay) },
  });
}

/** Regular entries of a month: salary, rent, bills, a fee, savings. */
function regular({ seed }: SandboxState, month: Month): Entry[] {
  const chance = dice(seed, 'regular', month.name);
  const fixed = dice(seed, 'fixed');
  const salary = fixed.int(1_300_000, 1_700_000);
  const rent = -fixed.int(180_000, 260_000);
  const aside = -fixed.int(20, 60) * 1_000;
  const key = (name: string): string => `${name}-${month.name}`;
  return [
    {
      key: key('salary'),
      day: dayIn(month, 5),
      cents: salary,
      description: 'Salario Industria Modelo',
      operationType: 'SALARY',
      category: 'salary',
      paymentData: payment('Industria Modelo SA', salary),
    },
    {
      key: key('rent'),
      day: dayIn(month, 10),
      cents: rent,
      description: 'Boleto aluguel Imobiliaria Norte',
      operationType: 'BOLETO',
      category: 'housing',
      paymentData: boleto('Imobiliaria Norte', key('rent'), dayIn(month, 10), rent),
    },
    ...billers.map((name, index): Entry => {
      const cents = -chance.int(6_000, 32_000);
      const day = dayIn(month, 15 + index);
      return {
        key: key(`boleto-${index}`),
        day,
        cents,
        description: `Boleto ${name}`,
        operationType: 'BOLETO',
        category: 'utilities',
        paymentData: boleto(name, key(`boleto-${index}`), day, cents),
      };
    }),
    {
      key: key('fee'),
      day: dayIn(month, 1),
      cents: -3_290,
      description: 'Tarifa pacote de servicos',
      operationType: 'FEE',
      category: 'fees',
    },
    {
      key: key('aside'),
      day: dayIn(month, 6),
      cents: aside,
      description: 'TED para poupanca',
      operationType: 'TED',
      category: 'transfer',
      paymentData: payment('Conta poupanca', aside),
    },
  ];
}

/** Payments between people; two are alike on one day, and one is returned. */
function pix({ seed }: SandboxState, month: Month): Entry[] {
  const chance = dice(seed, 'pix', month.name);
  const payOn = (name: string, day: number, cents: number, key: string): Entry => ({
    key: `pix-${month.name}-${key}`,
    day,
    cents,
    description: `Pix ${cents < 0 ? 'enviado' : 'recebido'} ${name}`,
    operationType: 'PIX',
    category: 'transfer',
    paymentData: payment(name, cents),
  });
  const single = Array.from({ length: 10 }, (_, index) => {
    const cents = chance.int(1_000, 45_000) * (chance.int(0, 3) === 0 ? 1 : -1);
    return payOn(chance.pick(people), dayIn(month, chance.int(1, 28)), cents, String(index));
  });
  const [twin, returned] = [-chance.int(20, 90) * 100, -chance.int(2_000, 9_000)];
  const name = chance.pick(people);
  return [
    ...single,
    payOn(name, dayIn(month, 20), twin, 'twin-a'),
    payOn(name, dayIn(month, 20), twin, 'twin-b'),
    payOn('Comercio Rapido', dayIn(month, 21), returned, 'sent-back'),
    {
      ...payOn('Comercio Rapido', dayIn(month, 22), -returned, 'came-back'),
      description: 'Pix devolvido Comercio Rapido',
      category: 'refund',
    },
  ];
}

/** One to five payments for each refresh. */
function found({ seed, startDay, refreshes }: SandboxState): Entry[] {
  return Array.from({ length: refreshes }, (_, index) => index + 1).flatMap((refresh) => {
    const chance = dice(seed, 'refresh', refresh);
    return Array.from({ length: chance.int(1, 5) }, (_, index): Entry => {
      const [name, cents] = [chance.pick(people), -chance.int(1_000, 20_000)];
      return {
        key: `found-${refresh}-${index}`,
        day: startDay,
        cents,
        description: `Pix enviado ${name}`,
        operationType: 'PIX',
        category: 'transfer',
        paymentData: payment(name, cents),
        refresh,
      };
    });
  });
}

function checkingEntries(state: SandboxState): Entry[] {
  const bills = billsOf(state).map(({ id, dueDay, cents }): Entry => ({
    key: `bill-${id}`,
    day: dueDay,
    cents: -cents,
    description: `Pagamento fatura cartao final ${cardLast4(state)}`,
    operationType: 'BOLETO',
    category: 'credit card',
    paymentData: { ...boleto('Banco Sandbox SA', id, dueDay, -cents), referenceNumber: id },
  }));
  const invested = investmentTransfers(state).map(({ key, day, cents, description }): Entry => ({
    key,
    day,
    cents: -cents,
    description,
    operationType: 'OTHER',
    category: 'investment',
  }));
  return visible(state, [
    ...monthsOf(state).flatMap((month) => [...regular(state, month), ...pix(state, month)]),
    ...bills,
    ...invested,
    ...found(state),
  ]);
}

function savingsEntries(state: SandboxState): Entry[] {
  const entries = monthsOf(state).flatMap((month): Entry[] => [
    ...regular(state, month)
      .filter(({ operationType }) => operationType === 'TED')
      .map(({ key, day, cents }): Entry => ({
        key,
        day,
        cents: -cents,
        description: 'TED recebida da conta corrente',
        operationType: 'TED',
        category: 'transfer',
      })),
    {
      key: `interest-${month.name}`,
      day: dayIn(month, 28),
      cents: dice(state.seed, 'savings', month.name).int(4_000, 9_000),
      description: 'Rendimento poupanca',
      operationType: 'INTEREST',
      category: 'interest',
    },
  ]);
  return visible(state, entries);
}

const updatedAt = ({ untilDay }: SandboxState): string => `${formatDay(untilDay)}T12:00:00.000Z`;

const sumOf = (entries: readonly Entry[]): number => entries.reduce((sum, { cents }) => sum + cents, 0);

/** The positive amount owed on the card. */
const owedCents = (state: SandboxState): number =>
  -Math.round(cardTransactions(state).reduce((sum, { signedAmount }) => sum + signedAmount * 100, 0));

export function accountsOf(state: SandboxState): Account[] {
  const common = { currencyCode, updatedAt: updatedAt(state) };
  const { seed } = state;
  return [
    {
      ...common,
      id: checkingIdOf(state),
      type: 'CHECKING',
      name: 'Conta corrente',
      number: digitsOf(7, seed, 'checking number'),
      balance: reais(openingCents.checking + sumOf(checkingEntries(state))),
    },
    {
      ...common,
      id: savingsIdOf(state),
      type: 'SAVINGS',
      name: 'Conta poupanca',
      number: digitsOf(7, seed, 'savings number'),
      balance: reais(openingCents.savings + sumOf(savingsEntries(state))),
    },
    {
      ...common,
      id: cardIdOf(state),
      type: 'CREDIT_CARD',
      name: 'Cartao Sandbox Gold',
      number: null,
      balance: reais(owedCents(state)),
    },
  ];
}

export function cardsOf(state: SandboxState): CreditCard[] {
  const owed = owedCents(state);
  const last = billsOf(state).at(-1);
  return [
    {
      id: cardIdOf(state),
      name: 'Cartao Sandbox Gold',
      brand: 'MASTERCARD',
      level: 'GOLD',
      numberLast4: cardLast4(state),
      holderType: 'MAIN',
      status: 'ACTIVE',
      currencyCode,
      creditLimit: reais(limitCents),
      availableCreditLimit: reais(Math.max(0, limitCents - owed)),
      balance: reais(owed),
      minimumPayment: last ? reais(Math.ceil(last.cents * 0.15)) : null,
      closingDate: last ? formatDay(last.closingDay) : null,
      dueDate: last ? formatDay(last.dueDay) : null,
      updatedAt: updatedAt(state),
    },
  ];
}

/** Returns null for an unknown account. */
export function accountTransactions(state: SandboxState, accountId: string): Transaction[] | null {
  if (accountId === checkingIdOf(state))
    return checkingEntries(state).map((entry) => transactionOf(state, accountId, entry));
  if (accountId === savingsIdOf(state))
    return savingsEntries(state).map((entry) => transactionOf(state, accountId, entry));
  return null;
}
