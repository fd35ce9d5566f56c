import type { ProposalAnswer } from '../../api/proposals';
import { useSideNames } from '../../parts/sides';
import { TableFrame } from '../../parts/table-frame';
import { Amount, Day, Words } from '../../parts/values';
import { recordName } from '../../parts/words';
import { useText } from '../../text';
import { comparedFields, type TextPiece } from './compare';

const Pieces = ({ of }: { of: readonly TextPiece[] }) => (
  <bdi>
    {of.map(({ text, isShared }, at) => (isShared ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))}
  </bdi>
);

/** Two records field by field: what is equal, what is similar and in which words, what differs. */
function Compared({ records: [left, right] }: Pick<ProposalAnswer, 'records'>) {
  const { suggestions } = useText();
  const sides = useSideNames();
  if (left === undefined || right === undefined) return null;
  return (
    <TableFrame label={suggestions.fieldsOf}>
      <table className="plain-table compared">
        <caption className="visually-hidden">{suggestions.fieldsOf}</caption>
        <thead>
          <tr>
            <th scope="col">{suggestions.field}</th>
            <th scope="col">
              {sides[left.side]}: <bdi>{recordName(left)}</bdi>
            </th>
            <th scope="col">
              {sides[right.side]}: <bdi>{recordName(right)}</bdi>
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
                <span
                  className={field.likeness === 'oneSided' ? 'visually-hidden' : `badge likeness ${field.likeness}`}
                >
                  {suggestions[field.likeness]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** The target of a composite and its members, which add up to it. */
function Members({ records }: Pick<ProposalAnswer, 'records'>) {
  const { suggestions } = useText();
  const sides = useSideNames();
  return (
    <TableFrame label={suggestions.members}>
      <table className="plain-table">
        <caption className="visually-hidden">{suggestions.members}</caption>
        <tbody>
          {records.map((record) => (
            <tr key={record.record_id}>
              <td className="soft">{sides[record.side]}</td>
              <th scope="row">
                <bdi>{recordName(record)}</bdi>
                <div className="soft">
                  <Words of={record} />
                </div>
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
    </TableFrame>
  );
}

export const Records = ({ proposal }: { proposal: ProposalAnswer }) =>
  proposal.kind === 'pair' ? <Compared records={proposal.records} /> : <Members records={proposal.records} />;
