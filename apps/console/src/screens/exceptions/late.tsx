import { useQuery } from '@tanstack/react-query';
import { paginate } from '@tieout/client';
import { tieout, type Schema } from '../../api/client';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { Empty, Loaded } from '../../parts/states';
import { useText } from '../../text';
import { ItemTable } from './item-table';

const pageSize = 100;
const maxShown = 1_000;
const none: ReadonlySet<string> = new Set();
const nothing = (): void => undefined;

/** Items that came after their month was closed. */
export function Late({ reconciliation: { id } }: { reconciliation: ReconciliationAnswer }) {
  const { exceptions } = useText();
  const query = useQuery({
    queryKey: ['reconciliation', id, 'open-items', 'late'],
    queryFn: async ({ signal }) => {
      const late: Schema<'OpenItem'>[] = [];
      const query = { late: true, sort: '-age', limit: pageSize, totals: false } as const;
      for await (const item of paginate(tieout.listOpenItems, { path: { id }, query, signal })) {
        if (late.length === maxShown) return { late, isCut: true };
        late.push(item);
      }
      return { late, isCut: false };
    },
  });
  return (
    <Loaded query={query}>
      {({ late, isCut }) => (
        <div className="block">
          {late.length === 0 ? (
            <Empty title={exceptions.noLate}>
              <p>{exceptions.noLateHint}</p>
            </Empty>
          ) : (
            <ItemTable
              items={late}
              active={-1}
              chosen={none}
              mayChoose={false}
              onActive={nothing}
              onToggle={nothing}
              onAll={nothing}
            />
          )}
          {isCut ? <p className="soft">{exceptions.lateOf}</p> : null}
        </div>
      )}
    </Loaded>
  );
}
