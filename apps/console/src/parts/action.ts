import { useCallback, useState } from 'react';
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/client';
import { useToasts } from './toasts';

export interface Action {
  isBusy: boolean;
  /** Resolves with whether the work was done; a toast says why it was not. */
  run(work: () => Promise<string | undefined>, undo?: () => void): Promise<boolean>;
}

/** Runs work that changes data, says what was done, and reads the changed data again. */
export function useAction(...changes: readonly QueryKey[]): Action {
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const keys = JSON.stringify(changes);
  const run = useCallback(
    async (work: () => Promise<string | undefined>, undo?: () => void): Promise<boolean> => {
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
        setBusy(false);
      }
    },
    [toasts, keys],
  );
  return { isBusy, run };
}
