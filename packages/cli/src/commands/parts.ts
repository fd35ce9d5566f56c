import { CommandError } from '../failure';

/** A record of a match group: all that remains of it, or a part. */
type GroupMember = string | { recordId: string; amount: string };

/** An amount that a match group has beside its records. */
interface Adjustment {
  reasonCode: string;
  amount: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Parses the records of a side: ids, each with `=amount` after it for a part. */
export const membersOf = (option: string, texts: readonly string[]): GroupMember[] =>
  texts.map((text) => {
    const [recordId, amount] = split(text);
    if (!uuid.test(recordId))
      throw new CommandError(`${option}: "${recordId}" is no id of a record; tieout open-items lists them`);
    return amount === null
      ? recordId
      : { recordId, amount: decimal(option, text, { amount, like: `${recordId}=40.00` }) };
  });

/** Parses adjustments: a reason code and, after `=`, an amount. */
export const adjustmentsOf = (option: string, texts: readonly string[]): Adjustment[] =>
  texts.map((text) => {
    const [reasonCode, amount] = split(text);
    return { reasonCode, amount: decimal(option, text, { amount: amount ?? '', like: 'bank_fee=1.50' }) };
  });

function split(text: string): [name: string, amount: string | null] {
  const at = text.indexOf('=');
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function decimal(option: string, text: string, { amount, like }: { amount: string; like: string }): string {
  if (/^-?\d+(\.\d+)?$/.test(amount)) return amount;
  throw new CommandError(`${option}: "${text}" does not end with an amount; write it like ${like}`);
}
