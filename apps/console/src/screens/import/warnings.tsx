import type { FileReading, ReadingChoices } from '../../api/imports';
import { Warned } from '../../parts/warned';
import { useText } from '../../text';
import { readingText } from '../../text/reading';

type Remedy = FileReading['warnings'][number]['remedies'][number];

interface WarningsProps {
  /** Without the right to see records, warnings have neither message nor remedies. */
  of: readonly { code: string; message?: string; remedies?: readonly Remedy[] }[];
  /** Absent where the file is imported already. */
  onChoose?: (option: keyof ReadingChoices, value: string) => void;
}

/** Lists what should be checked about a file, with the controls of the page that settle it. */
export function Warnings({ of: warnings, onChoose }: WarningsProps) {
  const texts = useText();
  const { importing } = texts;
  if (warnings.length === 0) return null;
  return (
    <div className="notice">
      <h3>{importing.warnings}</h3>
      <ul className="plain-list">
        {warnings.map(({ code, message, remedies = [] }, at) => (
          <li key={`${code} ${at}`}>
            <Warned code={code} message={message && readingText(message, texts)} />
            {remedies.length === 0 ? null : <Remedies of={remedies} onChoose={onChoose} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Remedies({ of: remedies, onChoose }: { of: readonly Remedy[]; onChoose: WarningsProps['onChoose'] }) {
  const { importing } = useText();
  const isOption = (option: string): option is keyof typeof importing.options => option in importing.options;
  return (
    <p className="row">
      <span>{onChoose ? importing.remedy : importing.remedyAfter}</span>
      {remedies.map(({ option, value }) => {
        if (!isOption(option)) return null;
        const name = importing.options[option];
        const text = value === null ? name : `${name}: ${importing.choice[`${option} ${value}`] ?? value}`;
        return onChoose && value !== null ? (
          <button key={text} type="button" className="button" onClick={() => onChoose(option, value)}>
            <bdi>{text}</bdi>
          </button>
        ) : (
          <strong key={text}>
            <bdi>{text}</bdi>
          </strong>
        );
      })}
    </p>
  );
}
