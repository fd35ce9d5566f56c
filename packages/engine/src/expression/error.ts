import { storableText } from '../values/json';
import { told } from './message-value';

/**
 * A syntax or evaluation error. Its texts can be stored and its message is short, whatever the expression puts into
 * it. `code` is JSONata's (S0201, T2001, D1012 …) or one of ours.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: string;
  readonly position?: number;
  readonly token?: string;

  constructor(code: string, message: string, at: { position?: number | undefined; token?: string | undefined } = {}) {
    super(storableText(told(message)));
    this.code = code;
    if (at.position !== undefined) this.position = at.position;
    if (at.token !== undefined) this.token = storableText(at.token);
  }
}

/** jsonata throws plain objects, and raw errors where it does not expect a value. */
export function parseError(thrown: unknown): ExpressionError {
  if (isRangeError(thrown)) return tooLarge('The expression is nested too deeply to be parsed.');
  return wrap(thrown, 'expression_invalid');
}

export function evaluationError(thrown: unknown): ExpressionError {
  if (isTooDeep(thrown)) return new ExpressionError('D1011', 'The evaluation is nested too deeply.');
  return wrap(thrown, 'evaluation_failed');
}

export function tooLarge(message: string): ExpressionError {
  return new ExpressionError('expression_too_large', message);
}

/** Checks by name: a native function may belong to another realm and throw that realm's RangeError. */
export function isRangeError(thrown: unknown): thrown is RangeError {
  return (
    thrown instanceof RangeError ||
    (typeof thrown === 'object' && thrown !== null && (thrown as { name?: unknown }).name === 'RangeError')
  );
}

/** Returns whether the native stack is exhausted. Other range errors are about a length. */
export function isStackOverflow(thrown: unknown): boolean {
  return isRangeError(thrown) && thrown.message.includes('call stack');
}

/**
 * Either jsonata's count of calls or the native stack ends deep recursion; which one does depends on how warm the code
 * is.
 */
function isTooDeep(thrown: unknown): boolean {
  return (
    isStackOverflow(thrown) ||
    (typeof thrown === 'object' && thrown !== null && (thrown as { code?: unknown }).code === 'D1011')
  );
}

/** JSONata counts brackets to find the end of a regular expression. */
const bracketHint =
  '. Brackets count everywhere in it: write a single one with a backslash, also inside a character class, ' +
  'such as [\\)]';

/** Ends the message of an error of types whose value is null, which no conversion mends. */
export const nullHint = ': the value is null';
const typeErrors: ReadonlySet<string> = new Set(['T0410', 'T0411', 'T2001', 'T2002', 'T2009', 'T2010']);

function wrap(thrown: unknown, fallbackCode: string): ExpressionError {
  if (thrown instanceof ExpressionError) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return new ExpressionError(fallbackCode, String(thrown));
  const { code, message, position, token, value, value2 } = thrown as Record<string, unknown>;
  const codeText = typeof code === 'string' ? code : fallbackCode;
  const text = typeof message === 'string' && message !== '' ? message : codeText;
  const isNull = typeErrors.has(codeText) && (value === null || value2 === null);
  const hint = codeText === 'S0302' ? bracketHint : isNull ? nullHint : '';
  return new ExpressionError(codeText, `${text}${hint}`, {
    position: typeof position === 'number' ? position : undefined,
    token: tokenText(token),
  });
}

function tokenText(token: unknown): string | undefined {
  if (typeof token === 'string') return token;
  return typeof token === 'number' || typeof token === 'boolean' || token === null ? String(token) : undefined;
}
