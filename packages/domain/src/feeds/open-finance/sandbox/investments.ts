import { formatDay } from '@tieout/engine';
import type { Investment, InvestmentOperation, InvestmentTransaction } from '../shapes';
import { dayIn, isInside, monthsOf } from './calendar';
import { currencyCode, reais } from './entries';
import { dice, digitsOf, idOf } from './random';
import type { SandboxState } from './state';

interface Move {
  key: string;
  day: number;
  type: InvestmentOperation;
  /** Change of the investment's value. */
  cents: number;
  description: string;
  /** Tax that is withheld from a sale. */
  taxCents?: number;
  unitPrice?: number;
}

/** A transfer from the account into an investment (positive) or back (negative). */
export interface Transfer {
  key: string;
  day: number;
  cents: number;
  description: string;
}

export const depositIdOf = ({ seed }: SandboxState): string => idOf(seed, 'cdb');
export const fundIdOf = ({ seed }: SandboxState): string => idOf(seed, 'fund');

/** Buys in three months, interest every month, a partial sale in the eleventh. */
function depositMoves(state: SandboxState): Move[] {
  return monthsOf(state).flatMap((month): Move[] => {
    const chance = dice(state.seed, 'cdb', month.name);
    const buys = [1, 4, 7].includes(month.index);
    const sells = month.index === 10;
    return [
      ...(buys
        ? [
            {
              key: `buy-${month.name}`,
              day: dayIn(month, 8),
              type: 'BUY' as const,
              cents: chance.int(5, 30) * 10_000,
              description: 'Aplicacao CDB',
            },
          ]
        : []),
      ...(month.index > 1
        ? [
            {
              key: `interest-${month.name}`,
              day: dayIn(month, 28),
              type: 'INTEREST' as const,
              cents: chance.int(1_000, 9_000),
              description: 'Rendimento CDB',
            },
          ]
        : []),
      ...(sells
        ? [
            {
              key: `sell-${month.name}`,
              day: dayIn(month, 18),
              type: 'SELL' as const,
              cents: -150_000,
              taxCents: chance.int(500, 3_000),
              description: 'Resgate CDB',
            },
          ]
        : []),
    ];
  });
}

/** Two buys by units, and the tax of funds in May and November. */
function fundMoves(state: SandboxState): Move[] {
  return monthsOf(state).flatMap((month): Move[] => {
    const chance = dice(state.seed, 'fund', month.name);
    const taxed = month.index > 2 && /-(05|11)$/.test(month.name);
    return [
      ...([2, 6].includes(month.index)
        ? [
            {
              key: `buy-${month.name}`,
              day: dayIn(month, 14),
              type: 'BUY' as const,
              cents: chance.int(10, 40) * 10_000,
              unitPrice: chance.int(12_000, 13_000) / 10_000,
              description: 'Aplicacao fundo',
            },
          ]
        : []),
      ...(taxed
        ? [
            {
              key: `tax-${month.name}`,
              day: dayIn(month, 28),
              type: 'TAX' as const,
              cents: -chance.int(300, 2_500),
              description: 'Come-cotas',
            },
          ]
        : []),
    ];
  });
}

const inside = (state: SandboxState, moves: readonly Move[]): Move[] => moves.filter(({ day }) => isInside(state, day));

/** Returns buys and sales from the point of view of the account. */
export function investmentTransfers(state: SandboxState): Transfer[] {
  const traded = (prefix: string, moves: readonly Move[]): Transfer[] =>
    moves
      .filter(({ type }) => type === 'BUY' || type === 'SELL')
      .map(({ key, day, cents, taxCents = 0, description }) => ({
        key: `${prefix}-${key}`,
        day,
        cents: cents < 0 ? cents + taxCents : cents,
        description,
      }));
  return [...traded('cdb', depositMoves(state)), ...traded('fund', fundMoves(state))];
}

export function investmentsOf(state: SandboxState): Investment[] {
  const updatedAt = `${formatDay(state.untilDay)}T12:00:00.000Z`;
  const balance = (moves: readonly Move[]): number =>
    reais(inside(state, moves).reduce((sum, { cents }) => sum + cents, 0));
  const common = { currencyCode, updatedAt };
  return [
    {
      ...common,
      id: depositIdOf(state),
      type: 'FIXED_INCOME',
      name: 'CDB Banco Sandbox 102% CDI',
      code: 'CDB102',
      balance: balance(depositMoves(state)),
    },
    {
      ...common,
      id: fundIdOf(state),
      type: 'MUTUAL_FUND',
      name: 'Fundo Sandbox Renda Fixa',
      code: 'FSRF',
      balance: balance(fundMoves(state)),
    },
  ];
}

/** Returns null for an unknown investment. */
export function investmentTransactions(state: SandboxState, investmentId: string): InvestmentTransaction[] | null {
  if (investmentId === depositIdOf(state))
    return inside(state, depositMoves(state)).map((move) => investmentTransactionOf(investmentId, move));
  if (investmentId === fundIdOf(state))
    return inside(state, fundMoves(state)).map((move) => investmentTransactionOf(investmentId, move));
  return null;
}

function investmentTransactionOf(investmentId: string, move: Move): InvestmentTransaction {
  const { taxCents, unitPrice } = move;
  const cents = Math.abs(move.cents);
  return {
    id: idOf(investmentId, move.key),
    investmentId,
    type: move.type,
    movementType: move.cents < 0 ? 'DEBIT' : 'CREDIT',
    date: formatDay(move.day),
    tradeDate: formatDay(move.day),
    quantity: unitPrice === undefined ? null : Math.round((cents / 100 / unitPrice) * 1e6) / 1e6,
    unitPrice: unitPrice ?? null,
    amount: reais(cents),
    netAmount: taxCents === undefined ? null : reais(cents - taxCents),
    currencyCode,
    description: move.description,
    brokerageNumber: move.type === 'BUY' ? digitsOf(8, investmentId, move.key) : null,
    expenses:
      taxCents === undefined
        ? null
        : { incomeTax: reais(taxCents), brokerageFee: 0, settlementFee: 0, custodyFee: 0, other: 0 },
  };
}
