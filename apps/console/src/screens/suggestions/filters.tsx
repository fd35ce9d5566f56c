import { useAddress } from '../../parts/address';
import { Choice } from '../../parts/choice';
import { useText } from '../../text';

export function Filters() {
  const { suggestions } = useText();
  const { search, setSearch } = useAddress();
  return (
    <div className="filters">
      <Choice name="decision" label={suggestions.allDecisions} options={suggestions.decision} />
      <Choice name="kind" label={suggestions.allKinds} options={suggestions.kind} />
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
