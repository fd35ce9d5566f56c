/** When items are worked on. All times in milliseconds. */
export interface ItemPolicy {
  /** From the end of one sync to the next that nobody asks for. */
  syncEveryMs: number;
  /** Between two looks at how a run stands, at first; later it is a tenth of the run's age, and this at most. */
  pollMs: number;
  longestPollMs: number;
  /** A run that takes longer has failed. */
  longestRunMs: number;
  /** What the user is asked for is waited for at most so long, and what the user does elsewhere; the provider may say less. */
  longestInputMs: number;
  longestActionMs: number;
  /** Between the tries of a call that the provider does not answer well; then the run has failed. */
  retryDelaysMs: readonly number[];
  /** The same for taking an item away from the provider. */
  removalDelaysMs: readonly number[];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const defaultItemPolicy: ItemPolicy = {
  syncEveryMs: 12 * hour,
  pollMs: second,
  longestPollMs: minute,
  longestRunMs: 30 * minute,
  longestInputMs: 5 * minute,
  longestActionMs: 24 * hour,
  retryDelaysMs: [second, 5 * second, 30 * second],
  removalDelaysMs: [second, minute, 10 * minute, hour, 6 * hour, 24 * hour],
};
