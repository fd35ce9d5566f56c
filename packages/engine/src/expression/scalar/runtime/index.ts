/**
 * JSONata's semantics for already evaluated operands. Work is counted: whoever uses these outside of compiled code calls
 * `refuel` before each piece of work that is to have a limit of its own.
 */
export { refuel } from './meter';
export { callBuiltin } from './natives';
export { arithmetic, concat, deepEqual, differs, equals, includes, negate, order, toBoolean } from './operators';
export type { ArithmeticOperator, OrderOperator } from './operators';
export { settle } from './sequences';
