import createSync from '../../generated/jsonata-sync';
import { bounds } from './bounds';
import type { Fault } from './compiler/runtime/fault';

/** A message shows no more of a value. */
const LONGEST_VALUE = 200;

let thrown: unknown;

/** jsonata writes the message of an error that leaves an expression. */
const writer = createSync(bounds)('$raise()');
writer.registerFunction('raise', () => {
  throw thrown;
});

/** Gives an error of compiled code the text that jsonata has for its code. */
export function withMessage(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || error instanceof Error) return error;
  const fault = error as Fault;
  if (fault.message !== undefined) return fault;
  const { message } = written({ ...fault, token: fault.token ?? null, value: shown(fault.value), value2: shown(fault.value2) });
  return { ...fault, message };
}

function written(fault: Fault): Fault {
  thrown = fault;
  try {
    writer.evaluate(undefined);
  } catch {
    // It is the fault itself that comes back.
  }
  return fault;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? '[…]' : '{…}';
}
