import type { MaybePromise } from './types';

/** A computation that yields values which may be pending, and gets them back settled. */
export type Steps<T> = Generator<MaybePromise<unknown>, T, unknown>;

/** Runs synchronously while nothing is pending, and asynchronously from the first promise on. */
export function runSteps<T>(steps: Steps<T>): MaybePromise<T> {
  let state = steps.next();
  while (state.done !== true) {
    if (state.value instanceof Promise) return finish(steps, state.value);
    state = steps.next(state.value);
  }
  return state.value;
}

/** Runs synchronous steps to their end. `onStep` receives each yielded value. */
export function runToEnd<S, T>(steps: Generator<S, T, void>, onStep: (step: S) => void = () => undefined): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onStep(step.value);
  }
}

async function finish<T>(steps: Steps<T>, pending: Promise<unknown>): Promise<T> {
  let state = await resume(steps, pending);
  while (state.done !== true) state = await resume(steps, state.value);
  return state.value;
}

async function resume<T>(
  steps: Steps<T>,
  pending: MaybePromise<unknown>,
): Promise<IteratorResult<MaybePromise<unknown>, T>> {
  let value: unknown;
  try {
    value = await pending;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(value);
}
