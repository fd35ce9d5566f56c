import type { RuleParams } from '../../api/rules';
import { useFormats, useText } from '../../text';
import { scaleOf, type HistogramBin } from './draft';

interface HistogramProps {
  bins: readonly HistogramBin[];
  params: RuleParams;
  onThreshold: (name: 'Tmatch' | 'Tpossible', value: number) => void;
}

/** Pairs by score. The two thresholds stand on its axis and are dragged, or moved by the arrow keys. */
export function Histogram({ bins, params, onThreshold }: HistogramProps) {
  const { rules } = useText();
  const formats = useFormats();
  const scale = scaleOf(params);
  // Most pairs score next to nothing: a root keeps the few good ones in sight.
  const heightOf = (count: number): number => Math.sqrt(count);
  const max = Math.max(1, ...bins.map(({ matches, possible, others }) => heightOf(matches + possible + others)));
  const threshold = (name: 'Tmatch' | 'Tpossible', label: string) => (
    <label className={`threshold ${name}`}>
      <span>
        {label} <b className="figures">{formats.number(params[name])}</b>
      </span>
      <input
        type="range"
        aria-label={label}
        min={name === 'Tmatch' && scale === 100 ? 2 : 0}
        max={scale}
        step={scale / 100}
        value={params[name]}
        onChange={(event) => {
          const value = Number(event.target.value);
          onThreshold(name, name === 'Tmatch' ? Math.max(value, params.Tpossible) : Math.min(value, params.Tmatch));
        }}
      />
    </label>
  );
  return (
    <figure className="histogram">
      <figcaption>{rules.histogram}</figcaption>
      <ol>
        {bins.map((bin) => {
          const count = bin.matches + bin.possible + bin.others;
          const label = rules.bin(formats.number(bin.from), formats.number(bin.to), formats.counted(count));
          const share = (part: number): string => `${count === 0 ? 0 : (100 * heightOf(count) * part) / count / max}%`;
          return (
            <li key={bin.from} title={label}>
              <span className="visually-hidden">{label}</span>
              <i className="tone-match" style={{ height: share(bin.matches) }} />
              <i className="tone-possible" style={{ height: share(bin.possible) }} />
              <i className="tone-none" style={{ height: share(bin.others) }} />
            </li>
          );
        })}
      </ol>
      {threshold('Tmatch', rules.tMatch)}
      {threshold('Tpossible', rules.tPossible)}
    </figure>
  );
}
