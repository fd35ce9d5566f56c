import Sequencer from '@jest/test-sequencer';

/** Endings of paths, slowest kind first. The named unit tests are short files that take long. */
const kinds = [
  'faults/faults.long.test.ts',
  '.long.test.ts',
  '.e2e.test.ts',
  'expression/scalar/bounds.test.ts',
  'pairs/batch.test.ts',
  '.int.test.ts',
  '.test.ts',
];
const kindOf = ({ path }) => kinds.findIndex((ending) => path.endsWith(ending));

/** Starts the slowest files first: started last, they would leave the other workers idle. */
export default class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => kindOf(a) - kindOf(b));
  }
}
