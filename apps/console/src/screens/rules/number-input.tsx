import { useState } from 'react';
import { Field } from '../../parts/form';

interface NumberInputProps {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  hint?: string;
  placeholder?: string;
  min?: number;
  max?: number;
  step?: number;
  wrong?: string | undefined;
}

/** A number that may be absent. What is typed stays as it is typed. */
export function NumberInput({ label, value, onChange, hint, wrong, step, ...rest }: NumberInputProps) {
  const [text, setText] = useState(String(value ?? ''));
  const isOwn = (text === '' ? undefined : Number(text)) === value;
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} wrong={wrong}>
      <input
        className="input figures"
        type="number"
        step={step ?? 'any'}
        {...rest}
        value={isOwn ? text : String(value ?? '')}
        onChange={(event) => {
          const { value: typed } = event.target;
          setText(typed);
          if (typed === '' || Number.isFinite(Number(typed))) onChange(typed === '' ? undefined : Number(typed));
        }}
      />
    </Field>
  );
}
