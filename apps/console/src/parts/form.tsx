import type { ReactNode } from 'react';

interface FieldProps {
  label: string;
  hint?: string;
  /** The message about a value that is refused. */
  wrong?: string | undefined;
  /** A message about a value that is taken and may not be meant. */
  doubt?: string | undefined;
  children: ReactNode;
}

/** A control with its name. The control is inside the label, so that a click on the name reaches it. */
export function Field({ label, hint, wrong, doubt, children }: FieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {hint ? <small>{hint}</small> : null}
      {wrong ? (
        <small className="wrong" role="alert">
          {wrong}
        </small>
      ) : null}
      {doubt ? (
        <small className="doubtful" role="status">
          {doubt}
        </small>
      ) : null}
    </label>
  );
}

interface PickProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onPick: (value: string) => void;
  /** The name is for readers of the screen alone, where the place says it to others. */
  isBare?: boolean;
}

/** A choice out of few. */
export function Pick({ label, value, options, onPick, isBare = false }: PickProps) {
  const control = (
    <select
      className="input"
      aria-label={isBare ? label : undefined}
      value={value}
      onChange={(event) => onPick(event.target.value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
  return isBare ? control : <Field label={label}>{control}</Field>;
}

/** A box to tick, with its name after it. */
export function Check({ label, name, isOn, onChange }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        name={name}
        {...(onChange ? { checked: isOn ?? false } : { defaultChecked: isOn ?? false })}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface CheckProps {
  label: string;
  name?: string;
  isOn?: boolean;
  onChange?: (isOn: boolean) => void;
}

/** The text of a field of a form as it was typed: blanks are a part of a password. */
export function typedIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The text of a field of a form, without the blanks around it. */
export const textIn = (form: FormData, name: string): string => typedIn(form, name).trim();
