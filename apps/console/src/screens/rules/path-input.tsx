import { useId } from 'react';
import { Field } from '../../parts/form';

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

/** An input for the name of a field, which suggests the known names. */
export function PathInput({ label, value, known, hint, placeholder, wrong, onChange }: PathInputProps) {
  const id = useId();
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} wrong={wrong}>
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
