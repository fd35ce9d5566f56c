/** A syntax or evaluation error. `code` is JSONata's (S0201, T2001, D1012 …) or one of ours. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: string;
  readonly position?: number;
  readonly token?: string;

  constructor(code: string, message: string, at: { position?: number | undefined; token?: string | undefined } = {}) {
    super(message);
    this.code = code;
    if (at.position !== undefined) this.position = at.position;
    if (at.token !== undefined) this.token = at.token;
  }
}
