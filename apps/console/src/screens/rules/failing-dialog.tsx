import { Confirm } from '../../parts/confirm';
import { useFaultText } from '../../parts/fault-text';
import { useFormats, useText } from '../../text';
import type { FailureCount } from './failures';

/** Rules that fail on pairs, or an error because of which that is not known. */
export type FailingRules = { failure: FailureCount } | { error: unknown };

interface FailingDialogProps {
  of: FailingRules;
  isBusy: boolean;
  onClose: () => void;
  onSave: () => void;
}

/** Asks before rules are saved that fail on pairs of the sample. */
export function FailingDialog({ of, isBusy, onClose, onSave }: FailingDialogProps) {
  const { rules } = useText();
  const formats = useFormats();
  const faultText = useFaultText();
  return (
    <Confirm
      title={rules.saveFailing}
      submitLabel={rules.saveAnyway}
      isBusy={isBusy}
      isDanger
      onClose={onClose}
      onSubmit={onSave}
    >
      {'failure' in of ? (
        <>
          <p>
            {rules.failing(formats.count(of.failure.count), formats.counted(of.failure.of))}{' '}
            <bdi lang="en">{of.failure.message}</bdi>
          </p>
          <p className="soft">{rules.failingHint}</p>
        </>
      ) : (
        <p>
          {rules.notScored} <bdi>{faultText(of.error)}</bdi>
        </p>
      )}
    </Confirm>
  );
}
