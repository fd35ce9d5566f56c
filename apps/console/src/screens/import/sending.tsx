import { useReadingShare } from '../../api/imports';
import { useFormats, useText } from '../../text';

interface SendingProps {
  label: string;
  /** From 0 to 1. */
  share: number;
  onStop: () => void;
}

/** Shows how much of a file is sent, and stops it. */
export function Sending({ label, share, onStop }: SendingProps) {
  const { importing } = useText();
  const formats = useFormats();
  return (
    <>
      <span className="soft">{label}</span>
      <progress value={share} aria-label={label} />
      <span className="figures">{formats.percent(share)}</span>
      <button type="button" className="button" onClick={onStop}>
        {importing.stop}
      </button>
    </>
  );
}

/** Shows how much of a file has been sent to be previewed. */
export function SendingPreview({ onStop }: Pick<SendingProps, 'onStop'>) {
  const { importing } = useText();
  return <Sending label={importing.previewing} share={useReadingShare()} onStop={onStop} />;
}
