/** The timing of item syncs. */
export interface ItemPolicy {
  /** Time from the end of a sync to the next scheduled one. */
  syncEveryMs: number;
  /** Min delay between two polls of a run. Later it is a tenth of the run's age, up to `maxPollMs`. */
  pollMs: number;
  maxPollMs: number;
  /** A longer run has failed. */
  maxRunMs: number;
  /** Max wait for input of the user, and for an action of the user elsewhere; the provider may set less. */
  maxInputMs: number;
  maxActionMs: number;
  /** Delays between attempts of a failed call to the provider; then the run has failed. */
  retryDelaysMs: readonly number[];
  /** Delays between attempts to delete an item at the provider. */
  removalDelaysMs: readonly number[];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const defaultItemPolicy: ItemPolicy = {
  syncEveryMs: 12 * hour,
  pollMs: second,
  maxPollMs: minute,
  maxRunMs: 30 * minute,
  maxInputMs: 5 * minute,
  maxActionMs: 24 * hour,
  retryDelaysMs: [second, 5 * second, 30 * second],
  removalDelaysMs: [second, minute, 10 * minute, hour, 6 * hour, 24 * hour],
};
