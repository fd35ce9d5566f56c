/** A value that is present or pending; callers await it only when it is a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** The dataset of a rule set that a record belongs to. */
export type Side = 'left' | 'right';

export type JsonObject = { [k: string]: unknown };
