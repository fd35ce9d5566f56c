import Sequencer from '@jest/test-sequencer';

/**
 * Kinds of path, slowest first; the named ones are short files that take long. Unit tests come before those that load
 * the whole service: each collection of their garbage takes as long as what a process holds is large.
 */
const kinds = [
  /faults\.long\.test\.ts$/,
  /\.long\.test\.ts$/,
  /\.e2e\.test\.ts$/,
  /(scalar\/bounds|pairs\/batch)\.test\.ts$/,
  /(?<!\.int)\.test\.ts$/,
  /\.int\.test\.ts$/,
];
const kindOf = ({ path }) => kinds.findIndex((kind) => kind.test(path));

/** Starts the slowest files first: started last, they would leave the other workers idle. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => kindOf(a) - kindOf(b));
  }
}
