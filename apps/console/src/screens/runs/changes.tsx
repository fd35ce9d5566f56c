import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import type { Run } from '../../api/reconciliations';
import type { ListedChangeKind, ListedChange } from '../../api/runs';
import { useAddress } from '../../parts/address';
import { More } from '../../parts/pages';
import { Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Amount } from '../../parts/values';
import { useFormats, useText, type WireAmount } from '../../text';

const kinds: readonly ListedChangeKind[] = ['changed', 'new', 'lost', 'kept'];

interface Member {
  record_id: string;
  external_id: string | null;
  amount: WireAmount;
}

function Members({ of }: { of: readonly Member[] }) {
  return (
    <>
      {of.map((member) => (
        <span key={member.record_id} className="member">
          <bdi>{member.external_id ?? member.record_id}</bdi> <Amount of={member.amount} />
        </span>
      ))}
    </>
  );
}

function Tie({ left, right }: { left: readonly Member[]; right: readonly Member[] }) {
  return (
    <span className="tie">
      <span>
        <Members of={left} />
      </span>
      <span className="soft" aria-hidden="true">
        ↔
      </span>
      <span>
        <Members of={right} />
      </span>
    </span>
  );
}

function Row({ change }: { change: ListedChange }) {
  const { runs } = useText();
  return (
    <tr>
      <td>{change.today ? <Tie {...change.today} /> : <span className="soft">{runs.nothing}</span>}</td>
      <td>
        {change.would.length === 0 ? (
          <span className="soft">{runs.nothing}</span>
        ) : (
          change.would.map((one, at) => <Tie key={at} {...one} />)
        )}
      </td>
    </tr>
  );
}

interface ChangesProps {
  run: Run;
  changes: NonNullable<Run['changes']>;
}

/** Counts and lists by kind what a full run changes among what is held. */
export function Changes({ run, changes }: ChangesProps) {
  const { runs } = useText();
  const formats = useFormats();
  const { search, setSearch } = useAddress();
  const kind = kinds.find((one) => one === search.kind) ?? kinds.find((one) => changes[one] > 0) ?? 'changed';
  const query = usePages({
    queryKey: ['run', run.id, 'changes', kind],
    read: (cursor, signal) =>
      tieout.listRunChanges({
        path: { id: run.id },
        query: { kind, limit: 25, ...(cursor && { cursor }) },
        signal,
      }),
    enabled: changes[kind] > 0,
  });
  return (
    <section className="block">
      <h3>{run.dry_run ? runs.changes : runs.changed}</h3>
      <div className="segments" role="group" aria-label={runs.changes}>
        {kinds.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            onClick={() => setSearch({ run: run.id, kind: one })}
          >
            {runs.kinds[one]} <strong className="figures">{formats.count(changes[one])}</strong>
          </button>
        ))}
      </div>
      {changes[kind] === 0 ? (
        <p className="soft">{runs.noChange}</p>
      ) : (
        <Loaded query={query}>
          {({ pages }) => (
            <>
              <TableFrame label={runs.kinds[kind]}>
                <table className="plain-table">
                  <thead>
                    <tr>
                      <th scope="col">{runs.today}</th>
                      <th scope="col">{runs.would}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {pages
                      .flatMap(({ items }) => items)
                      .map((change, at) => (
                        <Row key={at} change={change} />
                      ))}
                  </tbody>
                </table>
              </TableFrame>
              <More query={query} />
            </>
          )}
        </Loaded>
      )}
    </section>
  );
}
