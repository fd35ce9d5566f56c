import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from '../../api/client';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { Empty, Loaded } from '../../parts/states';
import { useText } from '../../text';
import { ItemTable } from './item-table';

const pageSize = 100;
const maxPages = 10;
const none: ReadonlySet<string> = new Set();
const nothing = (): void => undefined;

/** Items that came after their month was closed. */
export function Late({ reconciliation: { id } }: { reconciliation: ReconciliationAnswer }) {
  const { exceptions } = useText();
  const query = useQuery({
    queryKey: ['reconciliation', id, 'open-items', 'late'],
    queryFn: async ({ signal }) => {
      const late: Schema<'OpenItem'>[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < maxPages; page++) {
        const answer: Awaited<ReturnType<typeof tieout.listOpenItems>> = await tieout.listOpenItems({
          path: { id },
          query: { sort: '-age', limit: pageSize, totals: false, ...(cursor !== null && { cursor }) },
          signal,
        });
        late.push(...answer.items.filter((item) => item.late));
        cursor = answer.next_cursor;
        if (cursor === null) break;
      }
      return { late, isCut: cursor !== null };
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
