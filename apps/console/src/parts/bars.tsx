export interface Bar {
  key: string;
  value: number;
  /** Says all of the bar: to a pointer that rests on it, and to a reader of the screen. */
  label: string;
  caption?: string;
}

interface BarsProps {
  bars: readonly Bar[];
  title: string;
  height?: number;
  /** Writes the values of the scale, its top and its foot, beside the bars. */
  scale?: (value: number) => string;
  /** Texts beneath the first bar and the last, where bars have no captions of their own. */
  ends?: readonly [first: string, last: string];
}

/** Vertical bars on one scale. A value above 0 is always seen. */
export function Bars({ bars, title, height = 48, scale, ends }: BarsProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className={scale === undefined ? 'bars' : 'bars scaled'}>
      <figcaption>{title}</figcaption>
      {scale === undefined ? null : (
        <div className="scale" aria-hidden="true">
          <span>{scale(max)}</span>
          <span>{scale(0)}</span>
        </div>
      )}
      <ol style={{ height: `${height}px` }}>
        {bars.map(({ key, value, label }) => (
          <li key={key} title={label}>
            <span className="visually-hidden">{label}</span>
            <i
              className={value === 0 ? 'none' : undefined}
              style={{ height: value === 0 ? '1px' : `${Math.max(6, (100 * value) / max)}%` }}
            />
          </li>
        ))}
      </ol>
      {ends === undefined ? null : (
        <div className="captions ends" aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
      {bars.some(({ caption }) => caption !== undefined) ? (
        <div className="captions" aria-hidden="true">
          {bars.map(({ key, caption }) => (
            <span key={key}>{caption}</span>
          ))}
        </div>
      ) : null}
    </figure>
  );
}
