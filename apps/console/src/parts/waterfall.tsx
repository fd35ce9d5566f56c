import { useFormats, useText } from '../text';
import { CompositeWhy } from './composite-why';
import { waterfallOf } from './waterfall-steps';

/** Shows each matcher as a bar that begins where the previous one ended; for a composite, how it was composed. */
export function Waterfall({ explanation }: { explanation: Readonly<Record<string, unknown>> }) {
  const { suggestions } = useText();
  const formats = useFormats();
  const { steps, scale, threshold } = waterfallOf(explanation);
  if (steps.length === 0) return <CompositeWhy explanation={explanation} />;
  const share = (value: number): string => `${(100 * value) / scale}%`;
  return (
    <figure className="waterfall">
      <figcaption>{suggestions.waterfall}</figcaption>
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            <span>
              <bdi>{step.name}</bdi>
            </span>
            <span className="track">
              <i
                className={step.added > 0 ? undefined : 'none'}
                style={{ marginLeft: share(step.from), width: share(Math.max(step.added, 0)) }}
              />
              {threshold === null ? null : <b style={{ left: share(threshold) }} />}
            </span>
            <span className="figures">
              {step.added > 0 ? `+${formats.number(step.added)}` : '0'}
              <span className="soft"> / {formats.number(step.weight)}</span>
            </span>
          </li>
        ))}
      </ol>
      {threshold === null ? null : <p className="soft">{suggestions.threshold(formats.number(threshold))}</p>}
    </figure>
  );
}
