import { useText } from '../text';
import { useAddress, without } from './address';
import { Icon } from './icons';

export interface FilterChip {
  /** The parameters of the address that the chip removes. */
  names: readonly string[];
  text: string;
  /** The filter cannot be read. */
  isWrong?: boolean;
}

/** Shows the active filters, each with a button that removes it. */
export function Chips({ chips }: { chips: readonly FilterChip[] }) {
  const { frame } = useText();
  const { setSearch } = useAddress();
  if (chips.length === 0) return null;
  return (
    <ul className="chips">
      {chips.map(({ names, text, isWrong }) => (
        <li key={names.join()} className={isWrong ? 'chip wrong' : 'chip'}>
          <bdi>{text}</bdi>
          <button type="button" aria-label={`${frame.remove}: ${text}`} onClick={() => setSearch(without(names))}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
