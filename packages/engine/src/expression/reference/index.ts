export { builtins } from './builtins';
export type { Builtin } from './builtins';
export { createReference } from './reference';
export type { Reference } from './reference';
