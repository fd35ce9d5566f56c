import type { SideDataset } from '../../api/datasets';
import { useSideDatasets } from '../../api/datasets';
import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { useAddress } from '../../parts/address';
import { Pick } from '../../parts/form';
import { More } from '../../parts/pages';
import { Empty, Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { textOfValue } from '../../parts/words';
import { useText } from '../../text';

function Records({ dataset }: { dataset: string }) {
  const { exceptions } = useText();
  const query = usePages({
    queryKey: ['records', 'failed', dataset],
    read: (cursor, signal) =>
      tieout.listRecords({ query: { dataset, status: 'failed', limit: 50, ...(cursor && { cursor }) }, signal }),
  });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const records = pages.flatMap(({ items }) => items);
        if (records.length === 0) {
          return (
            <Empty title={exceptions.noFailed}>
              <p>{exceptions.noFailedHint}</p>
            </Empty>
          );
        }
        return (
          <>
            <TableFrame label={exceptions.views.failed}>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{exceptions.record}</th>
                    <th scope="col">{exceptions.field}</th>
                    <th scope="col">{exceptions.value}</th>
                    <th scope="col">{exceptions.said}</th>
                    <th scope="col">{exceptions.received}</th>
                  </tr>
                </thead>
                <tbody>
                  {records.map(({ id, external_id: externalId, error, created_at: at }) => (
                    <tr key={id}>
                      <td>
                        <bdi>{externalId ?? id}</bdi>
                      </td>
                      <td>
                        <bdi>{error?.field}</bdi>
                      </td>
                      <td className="note">
                        <bdi className="mono">{error ? textOfValue(error.value) : null}</bdi>
                      </td>
                      <td className="note">{error?.message}</td>
                      <td>
                        <Moment of={at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
            <More query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

function Chosen({ datasets }: { datasets: readonly SideDataset[] }) {
  const { exceptions } = useText();
  const { search, setSearch } = useAddress();
  const name = datasets.find((one) => one.name === search.dataset)?.name ?? datasets[0]?.name;
  if (name === undefined) return null;
  return (
    <div className="block">
      <div className="filters">
        <Pick
          isBare
          label={exceptions.dataset}
          value={name}
          onPick={(dataset) => setSearch({ dataset })}
          options={datasets.map((one) => [one.name, one.name] as const)}
        />
      </div>
      <Records key={name} dataset={name} />
    </div>
  );
}

/** Records of the two sides that could not be read by their fields. */
export function Failed({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const query = useSideDatasets(reconciliation);
  return <Loaded query={query}>{(datasets) => <Chosen datasets={datasets} />}</Loaded>;
}
