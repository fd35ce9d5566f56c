import { decimalOf, unitsOf, useFormats, useText, type WireAmount } from '../text';

/** The parts of an explanation of a composite. */
interface CompositeReasons {
  kind?: string;
  group?: string;
  amountDelta?: WireAmount;
  tolerance?: WireAmount;
  otherSets?: number;
  completionRatio?: number;
  search?: { candidates: number; complete: boolean };
  dates?: { toleranceDays: number; inside: number; spreadDays: number };
  installments?: { count: number; unitValue: WireAmount };
  thresholds?: { match: number };
}

/** Says in sentences why a group of records is proposed for one, and what speaks against it. */
export function CompositeWhy({ explanation }: { explanation: Readonly<Record<string, unknown>> }) {
  const { composites: texts, suggestions } = useText();
  const formats = useFormats();
  const { kind, group, search, dates, installments, otherSets, completionRatio, ...rest } =
    explanation as CompositeReasons;
  if (kind === undefined) return null;
  const delta = unitsOf(rest.amountDelta ?? null) ?? 0n;
  const lines = [
    installments && texts.installments(formats.counted(installments.count), formats.amount(installments.unitValue)),
    group !== undefined && (kind === 'group' ? texts.group : texts.shared)(group),
    completionRatio !== undefined && texts.partial(formats.percent(completionRatio)),
    search && texts.candidates(formats.counted(search.candidates)),
    search && !search.complete && texts.ended,
    otherSets !== undefined && otherSets > 0 && texts.otherSets(formats.count(otherSets)),
    dates && texts.dates(formats.count(dates.inside), formats.counted(dates.toleranceDays)),
    dates && texts.spread(formats.counted(dates.spreadDays)),
    delta !== 0n && texts.delta(formats.amount(decimalOf(delta)), formats.amount(rest.tolerance ?? 0)),
    rest.thresholds && suggestions.threshold(formats.number(rest.thresholds.match)),
  ].filter((line) => typeof line === 'string');
  return (
    <section>
      <h3>{texts.why}</h3>
      <ul className="reasons">
        {lines.map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
