import { useAddress } from '../../parts/address';
import { useText } from '../../text';

function Choice({ name, label, options }: { name: string; label: string; options: Record<string, string> }) {
  const { search, setSearch } = useAddress();
  const { suggestions } = useText();
  return (
    <select
      className="input"
      aria-label={label}
      value={search[name] ?? ''}
      onChange={(event) => setSearch({ [name]: event.target.value })}
    >
      <option value="">{suggestions.all}</option>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function Filters() {
  const { suggestions } = useText();
  const { search, setSearch } = useAddress();
  return (
    <div className="filters">
      <Choice name="decision" label={suggestions.chip.decision('')} options={suggestions.decision} />
      <Choice name="kind" label={suggestions.chip.kind('')} options={suggestions.kind} />
      <input
        key={search['minScore'] ?? ''}
        className="input"
        type="number"
        step="any"
        min="0"
        placeholder={suggestions.minScore}
        aria-label={suggestions.minScore}
        defaultValue={search['minScore'] ?? ''}
        onBlur={(event) => setSearch({ minScore: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
