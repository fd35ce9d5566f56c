import { useAddress } from './address';

interface ChoiceProps {
  /** The address parameter that the choice sets. */
  name: string;
  /** The name of the choice, and of its empty option. */
  label: string;
  options: Record<string, string>;
}

/** A filter with a few values, which lives in the address. */
export function Choice({ name, label, options }: ChoiceProps) {
  const { search, setSearch } = useAddress();
  return (
    <select
      className="input"
      aria-label={label}
      value={search[name] ?? ''}
      onChange={(event) => setSearch({ [name]: event.target.value })}
    >
      <option value="">{label}</option>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
