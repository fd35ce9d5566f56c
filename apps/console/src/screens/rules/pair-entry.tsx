import { useState } from 'react';
import { useRecordForExpressions, type RecordData, type PreviewedPair } from '../../api/rules';
import type { TrialChange } from '../../api/simulations';
import { useFaultText } from '../../parts/fault-text';
import { useSideNames } from '../../parts/sides';
import { Skeleton } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { cellText } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { partsOf } from './draft';

/** One scored pair; opened, it shows both records and what each matcher added. */
export function PairEntry({ pair, scale, isOpen = false }: { pair: PreviewedPair; scale: number; isOpen?: boolean }) {
  const { rules } = useText();
  const formats = useFormats();
  const [open, setOpen] = useState(isOpen);
  const { score, decision, dropped, error } = pair;
  return (
    <li className={`pair-entry ${decision}`}>
      <button type="button" className="pair-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <strong className="figures">{score === null ? '–' : formats.score(score)}</strong>
        <span className="score-track" aria-hidden="true">
          <i style={{ width: `${Math.max(0, Math.min(100, (100 * (score ?? 0)) / scale))}%` }} />
        </span>
        <span className="soft">{rules.counts[decision]}</span>
      </button>
      {error ? (
        <p className="pair-why wrong">
          <bdi lang="en">{error.message}</bdi>
        </p>
      ) : null}
      {open ? (
        <div className="pair-body">
          {dropped ? <p className="soft">{rules.dropped(dropped)}</p> : null}
          <Parts pair={pair} scale={scale} />
          <BothRecords left={pair.left_record_id} right={pair.right_record_id} />
        </div>
      ) : null}
    </li>
  );
}

/** A pair that would come, go or change; opened, it shows both records. */
export function ChangedEntry({ pair, scale }: { pair: TrialChange; scale: number }) {
  const { rules } = useText();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const { before, after } = pair;
  const nameOf = (one: TrialChange['after']): string =>
    one === null ? rules.counts.NO_MATCH : rules.counts[one.decision];
  const score = (after ?? before)?.score ?? 0;
  return (
    <li className={`pair-entry ${after?.decision ?? ''}`}>
      <button type="button" className="pair-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <strong className="figures">{formats.score(score)}</strong>
        <span className="score-track" aria-hidden="true">
          <i style={{ width: `${Math.max(0, Math.min(100, (100 * score) / scale))}%` }} />
        </span>
        <span className="soft">
          {nameOf(before)} → {nameOf(after)}
        </span>
      </button>
      {open ? (
        <div className="pair-body">
          <BothRecords left={pair.left_record_id} right={pair.right_record_id} />
        </div>
      ) : null}
    </li>
  );
}

function Parts({ pair, scale }: { pair: PreviewedPair; scale: number }) {
  const { rules } = useText();
  const formats = useFormats();
  const parts = partsOf(pair);
  if (parts.length === 0) return pair.explanation ? <p className="soft">{rules.noParts}</p> : null;
  return (
    <dl className="parts">
      {parts.map(({ id, name, contribution }) => (
        <div key={id}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <span className="score-track" aria-hidden="true">
              <i style={{ width: `${Math.min(100, (100 * Math.abs(contribution)) / scale)}%` }} />
            </span>
            <span className="figures">{formats.number(contribution)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const maxNames = 40;

function BothRecords({ left, right }: { left: string | undefined; right: string | undefined }) {
  const { rules } = useText();
  const sides = useSideNames();
  const faultText = useFaultText();
  const leftRecord = useRecordForExpressions(left);
  const rightRecord = useRecordForExpressions(right);
  const error = leftRecord.error ?? rightRecord.error;
  if (error) return <p className="soft">{faultText(error)}</p>;
  if (leftRecord.data === undefined || rightRecord.data === undefined) return <Skeleton />;
  const names = [...new Set([...Object.keys(leftRecord.data), ...Object.keys(rightRecord.data)])].slice(0, maxNames);
  const cell = (record: RecordData, name: string) => (
    <td>
      <bdi>{cellText(record[name])}</bdi>
    </td>
  );
  return (
    <TableFrame label={rules.field}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{rules.field}</th>
            <th scope="col">{sides.left}</th>
            <th scope="col">{sides.right}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {cell(leftRecord.data, name)}
              {cell(rightRecord.data, name)}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
