/** An error in jsonata's form: a plain object whose text is written from `code` when it is read. */
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
 * Thrown where only jsonata can continue. It is a RangeError, like an exhausted stack: callers of compiled code pass
 * both to the reference. One shared instance is enough, since its stack is never read.
 */
const needsReference: RangeError = new RangeError('The reference has to evaluate this.');

export function giveUp(): never {
  throw needsReference;
}

/** The position of a node in the source. */
export interface SourcePlace {
  position?: number | undefined;
  value?: unknown;
}

/** The same function, whose errors name their position in the source. */
export function located<A extends unknown[], R>(
  run: (...args: A) => R,
  node: SourcePlace,
  token?: string,
): (...args: A) => R {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      throw locate(error, node.position, token);
    }
  };
}

/** jsonata's errors are plain objects without a place where functions throw them. */
function locate(error: unknown, position: number | undefined, token: string | undefined): unknown {
  if (typeof error === 'object' && error !== null && !(error instanceof Error)) {
    const fault = error as Fault;
    fault.position ??= position;
    fault.token ??= token;
  }
  return error;
}
