import fs from 'node:fs';

/**
 * Adds up the result files of several Jest runs. A suite that could not run has no tests to count, so it counts as one
 * failure; so does a run that left no result at all.
 */
export function tally(files) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const file of files) {
    if (!fs.existsSync(file)) {
      sum.failed += 1;
      continue;
    }
    const result = JSON.parse(fs.readFileSync(file, 'utf8'));
    sum.passed += result.numPassedTests;
    sum.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    sum.skipped += result.numPendingTests + result.numTodoTests;
  }
  return sum;
}

export const summaryLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
