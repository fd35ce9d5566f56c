/** `npm test` draws this part of the random cases, and the long suite all of them. */
const part = 1 / 4;

/**
 * Gives the number of random cases that a test draws: a part of `all` in `npm test`. `drawingCases` in `jest.config.ts`
 * names the files of these tests for the long suite.
 */
export const caseCount = (all: number): number => (process.env['ALL_CASES'] ? all : Math.ceil(all * part));
