import { useFilesWithRejects, useSideDatasets, type SideDataset } from '../../api/datasets';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { RejectedRows } from '../../parts/rejected-rows';
import { Empty, Loaded } from '../../parts/states';
import { useText } from '../../text';

function Files({ datasets }: { datasets: readonly SideDataset[] }) {
  const { exceptions } = useText();
  const query = useFilesWithRejects(datasets);
  return (
    <Loaded query={query}>
      {(files) =>
        files.length === 0 ? (
          <Empty title={exceptions.noRejected}>
            <p>{exceptions.noRejectedHint}</p>
          </Empty>
        ) : (
          <div className="block">
            {files.map((file) => (
              <RejectedRows key={file.id} file={file} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

/** Lists the rejected rows of the files of both sides with their errors. */
export function Rejected({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const query = useSideDatasets(reconciliation);
  return <Loaded query={query}>{(datasets) => <Files datasets={datasets} />}</Loaded>;
}
