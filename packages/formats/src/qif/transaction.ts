import type { StatementRow } from '../statement/parser';
import { DecimalSum } from '../statement/sum';
import { negated, noAmount, noDay, readDecimal } from '../statement/values';
import type { QifNotation } from '../types';
import { readQifAmount, readQifDay } from './notation';
import type { QifField } from './records';

export interface QifAccount {
  name: string | null;
  type: string | null;
}

type Money = number | string | null;

interface Split {
  category: string | null;
  transfer_account: string | null;
  memo: string | null;
  amount: Money;
  percent: string | null;
}

class Fields {
  constructor(
    readonly all: readonly QifField[],
    private readonly notation: QifNotation,
  ) {}

  text(code: string): string | null {
    return this.texts(code).join(' ') || null;
  }

  texts(code: string): string[] {
    return this.all.flatMap((field) => (field.code === code && field.value !== '' ? [field.value] : []));
  }

  amount(...codes: string[]): Money {
    const text = this.amountText(...codes);
    return text === undefined ? null : readQifAmount(text, this.notation);
  }

  amountText(...codes: string[]): string | undefined {
    return codes.map((code) => this.texts(code)[0]).find((text) => text !== undefined);
  }

  day(): string | null {
    return readQifDay(this.text('D') ?? '', this.notation);
  }
}

export function transactionRow(account: QifAccount, all: readonly QifField[], notation: QifNotation): StatementRow {
  const fields = new Fields(all, notation);
  const splits = splitsOf(all, notation);
  const text = fields.amountText('T', 'U');
  const amount = text === undefined ? sumOf(splits) : fields.amount('T', 'U');
  if (amount === null) return { fault: noAmount('T', text) };
  const date = fields.day();
  if (date === null) return { fault: noDay('date', 'D', fields.text('D') ?? '') };
  return {
    data: {
      ...accountValues(account),
      date,
      amount,
      cleared_status: clearedStatus(fields.text('C')),
      check_number: fields.text('N'),
      payee: fields.text('P'),
      memo: fields.text('M'),
      address: fields.texts('A').join(', ') || null,
      ...categoryOf(fields.text('L')),
      splits: splits.length > 0 ? splits : null,
    },
  };
}

export function investmentRow(account: QifAccount, all: readonly QifField[], notation: QifNotation): StatementRow {
  const fields = new Fields(all, notation);
  const action = fields.text('N');
  const total = fields.amount('T', 'U', '$');
  const effect = cashEffect(action ?? 'cash');
  const amount = effect === 'none' ? 0 : total;
  if (amount === null) return { fault: noAmount('T', fields.amountText('T', 'U', '$')) };
  const date = fields.day();
  if (date === null) return { fault: noDay('date', 'D', fields.text('D') ?? '') };
  return {
    data: {
      ...accountValues(account),
      date,
      transaction_kind: action,
      amount: withEffect(amount, effect),
      total,
      security_name: fields.text('Y'),
      unit_price: fields.amount('I'),
      units: fields.amount('Q'),
      commission: fields.amount('O'),
      cleared_status: clearedStatus(fields.text('C')),
      payee: fields.text('P'),
      memo: fields.text('M'),
      ...categoryOf(fields.text('L')),
      transfer_amount: fields.amount('$'),
    },
  };
}

const accountValues = ({ name, type }: QifAccount) => ({ account_name: name, account_type: type });

/** Splits a category from the account that a transfer names in brackets. */
function categoryOf(text: string | null): { category: string | null; transfer_account: string | null } {
  const transfer = /^\[([^\]]+)\](?:\/(.*))?$/.exec(text ?? '');
  if (transfer === null) return { category: text, transfer_account: null };
  return { category: transfer[2] || null, transfer_account: transfer[1] ?? null };
}

function clearedStatus(text: string | null): string | null {
  if (text === null) return null;
  if (text === '*' || /^c$/i.test(text)) return 'cleared';
  return /^[xr]$/i.test(text) ? 'reconciled' : text;
}

function splitsOf(all: readonly QifField[], notation: QifNotation): Split[] {
  const splits: Split[] = [];
  for (const { code, value } of all) {
    if (code === 'S') splits.push({ ...categoryOf(value || null), memo: null, amount: null, percent: null });
    const split = splits.at(-1);
    if (split === undefined) continue;
    if (code === 'E') split.memo = value || null;
    else if (code === '$') split.amount = readQifAmount(value, notation);
    else if (code === '%') split.percent = value || null;
  }
  return splits;
}

function sumOf(splits: readonly Split[]): Money {
  if (splits.length === 0 || splits.some(({ amount }) => amount === null)) return null;
  const sum = new DecimalSum();
  for (const { amount } of splits) sum.add(amount ?? 0);
  return readDecimal(sum.text);
}

type CashEffect = 'in' | 'out' | 'signed' | 'none';

/** An action may end with `X`: its money comes from, or goes to, another account. */
const effects: readonly (readonly [RegExp, CashEffect])[] = [
  [/^(?:reinv|shrsin|shrsout|stksplit|reminder|exercis|expire|grant|vest|stkdiv)/, 'none'],
  [/^(?:buy|cvrshrt|miscexp|margint|xout|withdrw|contribxout)/, 'out'],
  [/^(?:sell|shtsell|div|intinc|cglong|cgshort|cgmid|miscinc|rtrncap|xin|contrib)/, 'in'],
];

function cashEffect(action: string): CashEffect {
  return effects.find(([pattern]) => pattern.test(action.toLowerCase()))?.[1] ?? 'signed';
}

/** Gives an amount the sign of its effect. Amounts of purchases and sales have none in QIF. */
function withEffect(amount: number | string, effect: CashEffect): number | string {
  return effect === 'out' ? negated(amount) : amount;
}
