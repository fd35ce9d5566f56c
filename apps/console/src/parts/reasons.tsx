import { useQuery } from '@tanstack/react-query';
import { reasonsQuery } from '../api/runs';
import { useText } from '../text';
import { Field } from './form';

/** The name of a reason code in the person's language; a tenant's own as the tenant calls it. */
export function useReasonName(): (code: string) => string {
  const { frame } = useText();
  const { data } = useQuery(reasonsQuery);
  return (code) => frame.reasons[code] ?? data?.items.find((one) => one.code === code)?.label ?? code;
}

interface ReasonFieldProps {
  label: string;
  name?: string;
  preset?: string;
  isRequired?: boolean;
  autoFocus?: boolean;
}

/** The options of a choice of a reason code; the first is none. */
export function ReasonOptions() {
  const { data } = useQuery(reasonsQuery);
  const nameOf = useReasonName();
  return (
    <>
      <option value="">–</option>
      {(data?.items ?? []).map(({ code }) => (
        <option key={code} value={code}>
          {nameOf(code)}
        </option>
      ))}
    </>
  );
}

/** The choice of a reason code. */
export function ReasonField({
  label,
  name = 'reasonCode',
  preset = '',
  isRequired = false,
  autoFocus,
}: ReasonFieldProps) {
  const { data } = useQuery(reasonsQuery);
  return (
    <Field label={label}>
      <select
        className="input"
        key={data === undefined ? 'waiting' : 'there'}
        name={name}
        defaultValue={preset}
        required={isRequired}
        autoFocus={autoFocus}
      >
        <ReasonOptions />
      </select>
    </Field>
  );
}
