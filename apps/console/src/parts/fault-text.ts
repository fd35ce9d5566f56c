import { useCallback } from 'react';
import { asTieoutError } from '../api/client';
import { useText } from '../text';
import { refusalText } from '../text/refusal';

/** Returns what says an error to people. */
export function useFaultText(): (error: unknown) => string {
  const texts = useText();
  return useCallback((error) => refusalText(asTieoutError(error), texts), [texts]);
}
