import type { Fault } from './fault';

/** The position of a node in the source. */
export interface Place {
  position?: number | undefined;
  value?: unknown;
}

/** The same function, whose errors say where in the source they come from. */
export function located<A extends unknown[], R>(
  run: (...args: A) => R,
  node: Place,
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
