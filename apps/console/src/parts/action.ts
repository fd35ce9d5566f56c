import { useCallback, useRef, useState } from 'react';
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/client';
import { useToasts } from './toasts';

export interface Action {
  isBusy: boolean;
  /** Resolves with whether the work was done; a toast says why it was not. */
  run(work: () => Promise<string | undefined>, undo?: () => void): Promise<boolean>;
}

/**
 * Runs work that changes data, says what was done, and reads the changed data again. A second press while the first is
 * on its way counts for nothing.
 */
export const useAction = (...changes: readonly QueryKey[]): Action => useWork(changes, 1);

/** Like `useAction`, for work that goes on with other items while earlier work is on its way. */
export const useActions = (...changes: readonly QueryKey[]): Action => useWork(changes, Infinity);

function useWork(changes: readonly QueryKey[], maxAtOnce: number): Action {
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  // A second press may come before the screen shows that the first one counts.
  const running = useRef(0);
  const keys = JSON.stringify(changes);
  const run = useCallback(
    async (work: () => Promise<string | undefined>, undo?: () => void): Promise<boolean> => {
      if (running.current >= maxAtOnce) return false;
      running.current++;
      setBusy(true);
      try {
        const said = await work();
        if (said !== undefined) toasts.say(said, undo);
        return true;
      } catch (error) {
        toasts.fail(error);
        return false;
      } finally {
        for (const queryKey of JSON.parse(keys) as QueryKey[]) void queryClient.invalidateQueries({ queryKey });
        running.current--;
        setBusy(running.current > 0);
      }
    },
    [toasts, keys, maxAtOnce],
  );
  return { isBusy, run };
}
