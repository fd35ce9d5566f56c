import createSync from '../../../generated/jsonata-sync';
import { bounds } from './jsonata-bounds';
import type { Fault } from '../fault';

let thrown: unknown;

/** Throws the error, so that jsonata writes its message. A function without a name is called `lambda` there. */
const writer = createSync(bounds)('$lambda()');
writer.registerFunction('lambda', () => {
  throw thrown;
});

/** Gives an error of compiled code the text that jsonata has for its code. */
export function withMessage(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || error instanceof Error) return error;
  const fault = error as Fault;
  if (fault.message !== undefined) return fault;
  const { message } = written({ ...fault, token: fault.token ?? null });
  return { ...fault, message };
}

function written(fault: Fault): Fault {
  thrown = fault;
  try {
    writer.evaluate(undefined);
  } catch {
    // The returned value is the fault itself.
  }
  return fault;
}
