import { Outlet } from '@tanstack/react-router';
import { useReconciliation } from '../api/reconciliations';
import { useText } from '../text';
import { usePathId } from './address';
import { ScreenLinks, type NavEntry } from './frame';
import { SideNamesProvider } from './sides';
import { Loaded } from './states';

/** Frames the screens of one reconciliation with its name and links between them. */
export function ReconciliationFrame({ entries }: { entries: readonly NavEntry[] }) {
  const { frame } = useText();
  const id = usePathId();
  const query = useReconciliation(id);
  return (
    <Loaded query={query}>
      {(reconciliation) => (
        <SideNamesProvider of={reconciliation}>
          <div className="reconciliation-head">
            <p className="reconciliation-name">
              <bdi>{reconciliation.name}</bdi>
            </p>
            <ScreenLinks className="tabs" label={frame.ofReconciliation} entries={entries} params={{ id }} />
          </div>
          <Outlet />
        </SideNamesProvider>
      )}
    </Loaded>
  );
}
