import { useId } from 'react';
import { Field } from '../../parts/form';
import { useText } from '../../text';
import { unknownIn } from './names-in';

interface PathInputProps {
  label: string;
  value: string | undefined;
  /** Names that are offered. */
  known: readonly string[];
  hint?: string;
  placeholder?: string;
  wrong?: string | undefined;
  onChange: (value: string) => void;
}

/** An input for the name of a field, which suggests the known names and doubts others. */
export function PathInput({ label, value, known, hint, placeholder, wrong, onChange }: PathInputProps) {
  const id = useId();
  const { rules } = useText();
  const unknown = unknownIn(value ?? '', known);
  const doubt = unknown && [rules.noField(unknown.name), unknown.nearest && rules.nearest(unknown.nearest)];
  return (
    <Field
      label={label}
      {...(hint === undefined ? {} : { hint })}
      wrong={wrong}
      doubt={doubt?.filter(Boolean).join(' ')}
    >
      <input
        className="input mono"
        list={id}
        value={value ?? ''}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </Field>
  );
}
