import Sequencer from '@jest/test-sequencer';

// The bounds of expressions take most of a minute, though their file is short.
const kinds = ['.e2e.test.ts', 'compiler/bounds.test.ts', '.int.test.ts', '.test.ts'];
const kindOf = ({ path }) => kinds.findIndex((ending) => path.endsWith(ending));

/** Starts the slowest files first: started last, they would leave the other workers idle. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => kindOf(a) - kindOf(b));
  }
}
