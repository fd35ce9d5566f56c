import { useCallback, useState } from 'react';
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/client';
import { useToasts } from './toasts';

export interface Action {
  isBusy: boolean;
  /** Resolves with whether the work was done; what the server refuses is said in a message. */
  run(work: () => Promise<string | undefined>, undo?: () => void): Promise<boolean>;
}

/** Does what changes something, says what was done, and reads again what it has changed. */
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
