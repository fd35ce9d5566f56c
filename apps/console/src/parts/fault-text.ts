import { asTieoutError, messageOf } from '../api/client';
import { useText } from '../text';

/** Returns the text of an error in a line: its first fault, what the service says, or that it says nothing. */
export function useFaultText(): (error: unknown) => string {
  const { frame } = useText();
  return (error) => {
    const refusal = asTieoutError(error);
    return refusal.errors[0]?.message ?? messageOf(refusal, frame.noAnswer);
  };
}
