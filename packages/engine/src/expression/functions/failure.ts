import { ExpressionError } from '../error';

/** The faults of a value whose type is right. */
export type FunctionErrorCode =
  | 'amount_unreadable'
  | 'amount_out_of_range'
  | 'tolerance_invalid'
  | 'date_unreadable'
  | 'calendar_invalid'
  | 'weights_invalid';

/** Throws what JSONata says of an argument that a signature does not allow; arguments count from 1. */
export function refuseType(name: string, argument: number): never {
  throw new ExpressionError('T0410', `Argument ${argument} of function "${name}" does not match function signature`, {
    token: name,
  });
}

const maxQuoteLength = 60;

/** Throws the error of one value: `$name: <value> <complaint>`, with a long value cut. */
export function refuse(code: FunctionErrorCode, name: string, value: unknown, complaint: string): never {
  throw new ExpressionError(code, `$${name}: ${quoted(value)} ${complaint}.`, { token: name });
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (typeof value !== 'object' || value === null) return shortened(String(value));
  return Array.isArray(value) ? 'a list' : 'an object';
}

function shortened(text: string): string {
  return text.length <= maxQuoteLength ? text : `${text.slice(0, maxQuoteLength)}…`;
}
