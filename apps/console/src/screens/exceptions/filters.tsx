import { useAddress } from '../../parts/address';
import { Chips, type FilterChip } from '../../parts/chips';
import { Pick } from '../../parts/form';
import { useSideNames } from '../../parts/sides';
import { useText } from '../../text';

/** The filters of the open items, all of which live in the address. */
export function Filters({ chips }: { chips: readonly FilterChip[] }) {
  const { exceptions, frame } = useText();
  const sides = useSideNames();
  const { search, setSearch } = useAddress();
  const whos = [
    ['', exceptions.whoAll],
    ['me', exceptions.mine],
    ['none', exceptions.nobody],
    ...(search.who && !['me', 'none'].includes(search.who) ? [[search.who, search.who] as const] : []),
  ] as const;
  const olderThan = (days: string): string => exceptions.olderThan({ value: Number(days), text: days });
  return (
    <search className="block">
      <div className="filters">
        <input
          id="item-search"
          type="search"
          className="input"
          key={search.q ?? ''}
          defaultValue={search.q ?? ''}
          placeholder={exceptions.search}
          aria-label={exceptions.search}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setSearch({ q: event.currentTarget.value.trim() });
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
        />
        <Pick
          isBare
          label={exceptions.side}
          value={search.side ?? ''}
          onPick={(side) => setSearch({ side })}
          options={[
            ['', `${exceptions.side}: ${frame.all}`],
            ['left', sides.left],
            ['right', sides.right],
          ]}
        />
        <Pick
          isBare
          label={exceptions.who}
          value={search.who ?? ''}
          onPick={(who) => setSearch({ who })}
          options={whos.map(([value, text]) => [value, value === '' ? `${exceptions.who}: ${text}` : text] as const)}
        />
        <Pick
          isBare
          label={exceptions.explained}
          value={search.explained ?? ''}
          onPick={(explained) => setSearch({ explained })}
          options={[
            ['', `${exceptions.explained}: ${frame.all}`],
            ['yes', exceptions.explainedYes],
            ['no', exceptions.explainedNo],
          ]}
        />
        <Pick
          isBare
          label={exceptions.age}
          value={search.minAge ?? ''}
          onPick={(minAge) => setSearch({ minAge })}
          options={[
            ['', exceptions.anyAge],
            ...[...new Set(['8', '31', '61', '91', ...(search.minAge ? [search.minAge] : [])])].map(
              (days) => [days, olderThan(days)] as const,
            ),
          ]}
        />
        <Pick
          isBare
          label={exceptions.state}
          value={search.state ?? search.snoozed ?? ''}
          onPick={(state) =>
            setSearch({
              state: state === 'excluded' ? state : undefined,
              snoozed: state === 'excluded' ? undefined : state,
            })
          }
          options={[
            ['', exceptions.snoozedNo],
            ...Object.entries(exceptions.snoozedChoices),
            ['excluded', exceptions.excludedOnly],
          ]}
        />
      </div>
      <Chips chips={chips} />
    </search>
  );
}
