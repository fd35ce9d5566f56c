export interface Bar {
  key: string;
  value: number;
  /** Says all of the bar: to a pointer that rests on it, and to a reader of the screen. */
  label: string;
  caption?: string;
}

/** Vertical bars on one scale. A value above 0 is always seen. */
export function Bars({ bars, title, height = 48 }: { bars: readonly Bar[]; title: string; height?: number }) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure className="bars">
      <figcaption>{title}</figcaption>
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
