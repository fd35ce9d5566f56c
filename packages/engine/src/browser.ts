// The parts that the console shares: they run in a browser too.
export { nearNames } from './rule-set/near-names';
export type { Side } from './values/types';
