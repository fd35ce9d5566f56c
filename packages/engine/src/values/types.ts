/** A value that is there now or arrives later; callers await it only when it is a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** Which dataset of a rule set a record belongs to. */
export type Side = 'left' | 'right';

export type JsonObject = { [k: string]: unknown };
