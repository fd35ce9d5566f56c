/** What jsonata throws: a plain object, whose text is written from `code` where somebody reads it. */
export interface Fault {
  code: string;
  message?: string;
  position?: number | undefined;
  token?: unknown;
  value?: unknown;
  value2?: unknown;
  index?: number;
}

/** Throws as jsonata does. An Error would collect a stack for every pair that fails. */
export function fail(fault: Fault): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw fault;
}

/**
 * Thrown where only jsonata knows what follows. It is a RangeError, as is an exhausted stack: whoever runs compiled code
 * takes both to the reference. One instance serves all, since nobody reads its stack.
 */
const needsReference: RangeError = new RangeError('The reference has to evaluate this.');

export function giveUp(): never {
  throw needsReference;
}
