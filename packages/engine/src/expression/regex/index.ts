export { createRegex, MAX_MACHINE_STEPS } from './linear-regex';
export type { LinearRegex, RegexMatch } from './linear-regex';
export type { Meter } from './machine';
export { LinearRegexEngine, linearOf, toLength } from './engine';
