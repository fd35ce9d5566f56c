import { useFormats, useText, type WireAmount } from '../text';
import { wordsOf, type ShownRecord } from './words';

/** Shows an amount with the decimals of its currency, and with its code beside amounts of other currencies. */
export function Amount({ of, currency, showsCode }: { of: WireAmount; currency?: string | null; showsCode?: boolean }) {
  const formats = useFormats();
  const { frame } = useText();
  if (of === null) return <span className="soft">{frame.noAmount}</span>;
  return (
    <span className="figures">
      {formats.amount(of, currency ?? null)}
      {showsCode && currency ? <span className="soft"> {currency}</span> : null}
    </span>
  );
}

export function Day({ of }: { of: string | null }) {
  const formats = useFormats();
  const { frame } = useText();
  if (of === null) return <span className="soft">{frame.noDate}</span>;
  return (
    <time className="figures" dateTime={of}>
      {formats.day(of)}
    </time>
  );
}

export function Moment({ of }: { of: string }) {
  const formats = useFormats();
  return (
    <time className="figures" dateTime={of}>
      {formats.moment(of)}
    </time>
  );
}

/** Shows the texts of a record that stand beneath its name. */
export function Words({ of }: { of: ShownRecord }) {
  return <bdi>{wordsOf(of, useFormats().day)}</bdi>;
}
