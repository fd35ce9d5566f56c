/**
 * Regular expressions whose time is bounded. `createRegex` (linear-regex.ts) computes how many steps backtracking may
 * take (backtracking-bound.ts). Texts on which these are few go to the native RegExp; longer ones go to a machine
 * that reads each character once (program.ts, machine.ts). A pattern that neither can bound is refused as
 * `regex_not_linear`.
 */
export { createRegex, maxMachineSteps } from './linear-regex';
export type { LinearRegex, RegexMatch } from './linear-regex';
export type { Meter } from './machine';
export { LinearRegexEngine, linearOf, toLength } from './engine';
