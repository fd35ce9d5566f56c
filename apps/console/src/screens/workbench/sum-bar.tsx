import { OnlyFor } from '../../parts/only-for';
import { useSideNames } from '../../parts/sides';
import { decimalOf, useFormats, useText } from '../../text';
import { ofSide, type Selection, type Sums } from './selection';

/** Shows the running sums of the selection. It keeps its place and height, so that nothing below it moves. */
export function SumBar({
  selection,
  sums,
  mayMatch,
  onMatch,
  onClear,
}: {
  selection: Selection;
  sums: Sums;
  mayMatch: boolean;
  onMatch: () => void;
  onClear: () => void;
}) {
  const { workbench } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const shown = (units: bigint): string => formats.amount(decimalOf(units), sums.currency);
  const isTied = selection.size > 1 && sums.difference === 0n && !sums.isMixed;
  return (
    <div className="sum-bar" role="region" aria-label={workbench.selected(formats.counted(selection.size))}>
      <dl>
        {(['left', 'right'] as const).map((side) => (
          <div key={side}>
            <dt>
              {sides[side]} <span className="figures">({formats.count(ofSide(selection, side).length)})</span>
            </dt>
            <dd className="figures">{shown(sums[side])}</dd>
          </div>
        ))}
        <div className={isTied ? 'difference tied' : 'difference'}>
          <dt>{workbench.difference}</dt>
          <dd className="figures">
            <span role="status">
              {sums.isMixed ? workbench.mixed : shown(sums.difference)}
              {sums.currency === null ? null : <span className="soft"> {sums.currency}</span>}
            </span>
          </dd>
        </div>
      </dl>
      <button type="button" className="button quiet" onClick={onClear} disabled={selection.size === 0}>
        {workbench.clear} <kbd>Esc</kbd>
      </button>
      {mayMatch ? (
        <button type="button" className="button primary" onClick={onMatch} disabled={selection.size < 2}>
          {workbench.match} <kbd>M</kbd>
        </button>
      ) : (
        <OnlyFor act="match" />
      )}
    </div>
  );
}
