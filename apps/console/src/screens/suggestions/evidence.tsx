import type { ProposalAnswer } from '../../api/proposals';
import { Amount, Day } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { comparedFields, waterfallOf, type TextPiece } from './compare';

const Pieces = ({ of }: { of: readonly TextPiece[] }) => (
  <bdi>
    {of.map(({ text, isShared }, at) => (isShared ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))}
  </bdi>
);

const nameOf = (record: ProposalAnswer['records'][number] | undefined): string =>
  record?.external_id ?? record?.record_id.slice(0, 8) ?? '';

/** Two records field by field: what is equal, what is similar and in which words, what differs. */
function Compared({ records: [left, right] }: Pick<ProposalAnswer, 'records'>) {
  const { suggestions, frame } = useText();
  if (left === undefined || right === undefined) return null;
  return (
    <table className="plain-table compared">
      <caption className="visually-hidden">{suggestions.fieldsOf}</caption>
      <thead>
        <tr>
          <th scope="col">{suggestions.field}</th>
          <th scope="col">
            {frame[left.side]}: <bdi>{nameOf(left)}</bdi>
          </th>
          <th scope="col">
            {frame[right.side]}: <bdi>{nameOf(right)}</bdi>
          </th>
          <th scope="col">
            <span className="visually-hidden">{suggestions.equal}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {comparedFields(left.record, right.record).map((field) => (
          <tr key={field.key} className={field.likeness}>
            <th scope="row">
              <bdi>{field.key}</bdi>
            </th>
            <td className="wrap">
              <Pieces of={field.left} />
            </td>
            <td className="wrap">
              <Pieces of={field.right} />
            </td>
            <td>
              <span className={`badge likeness ${field.likeness}`}>{suggestions[field.likeness]}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The target of a composite and its members, which add up to it. */
function Members({ records }: Pick<ProposalAnswer, 'records'>) {
  const { suggestions, frame } = useText();
  return (
    <table className="plain-table">
      <caption className="visually-hidden">{suggestions.members}</caption>
      <tbody>
        {records.map((record) => (
          <tr key={record.record_id}>
            <td className="soft">{frame[record.side]}</td>
            <th scope="row">
              <bdi>{nameOf(record)}</bdi>
            </th>
            <td>
              <Day of={record.date} />
            </td>
            <td className="amount">
              <Amount of={record.remaining_amount} currency={record.currency} showsCode />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const Records = ({ proposal }: { proposal: ProposalAnswer }) =>
  proposal.kind === 'pair' ? <Compared records={proposal.records} /> : <Members records={proposal.records} />;

/** Each matcher as a bar that begins where the one before it ended. */
export function Waterfall({ explanation }: Pick<ProposalAnswer, 'explanation'>) {
  const { suggestions } = useText();
  const formats = useFormats();
  const { steps, scale, threshold } = waterfallOf(explanation);
  if (steps.length === 0) return null;
  const share = (value: number): string => `${(100 * value) / scale}%`;
  return (
    <figure className="waterfall">
      <figcaption>{suggestions.waterfall}</figcaption>
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            <span className="cut">
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
