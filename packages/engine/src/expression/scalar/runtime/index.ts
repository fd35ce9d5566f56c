/**
 * JSONata's semantics for evaluated operands. Work is metered: callers outside of compiled code call `refuel` before
 * each piece of work that has its own limit.
 */
export { refuel } from '../../limits/meter';
export { callBuiltin, findNative, nativeDirect } from './natives';
export { arithmetic, concat, deepEqual, differs, equals, includes, negate, order, toBoolean } from './operators';
export type { ArithmeticOperator, OrderOperator } from './operators';
export { settle } from './sequences';
