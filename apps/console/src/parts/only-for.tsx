import { useText } from '../text';
import type { frame } from '../text/frame';

/** Says, in place of an action, for whom it is: the caller is not among them. */
export function OnlyFor({ act }: { act: keyof typeof frame.en.onlyFor }) {
  const { frame } = useText();
  return (
    <span className="soft" title={frame.noPermissionHint}>
      {frame.onlyFor[act]}
    </span>
  );
}
