export { runProgram } from './program';
export type { Terminal } from './output/print';
