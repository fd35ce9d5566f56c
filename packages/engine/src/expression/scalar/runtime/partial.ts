import { giveUp } from '../../fault';
import { arityOf } from './functions';
import type { FunctionValue } from './values';

/** A function of which some arguments are given; the holes are its parameters. Signatures are lost, as in jsonata. */
export function partial(target: FunctionValue, given: readonly unknown[], holes: readonly boolean[]): FunctionValue {
  // To jsonata an open parameter hides a given one with the same name, at any position.
  if (target.repeatsParameter === true) giveUp();
  const count = target.native === true ? parameterCount(target) : arityOf(target);
  const open = Array.from({ length: count }, (_, index) => index).filter((index) => holes[index] === true);
  const run = (...args: unknown[]): unknown => {
    const all = Array.from({ length: count }, (_, index) => given[index]);
    for (const [at, index] of open.entries()) all[index] = args[at];
    if (target.native === true) requireTypes(target, all);
    return (target.unchecked ?? target)(...all);
  };
  return Object.assign(run, { arity: open.length, partialOf: target });
}

/** jsonata finds the parameters of its own functions in their source text, and cannot read those with defaults. */
function parameterCount(target: FunctionValue): number {
  return target.simpleParameters ?? giveUp();
}

/**
 * Requires matching types, because without its signature a jsonata function receives values that it is not made for.
 * The result then depends on jsonata's internal representation, so its evaluator decides.
 */
function requireTypes({ validate }: FunctionValue, args: readonly unknown[]): void {
  try {
    validate?.(args, undefined);
  } catch {
    giveUp();
  }
}
