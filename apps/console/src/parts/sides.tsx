import { createContext, useContext, type ReactNode } from 'react';
import { useSideDatasets } from '../api/datasets';
import type { ReconciliationAnswer } from '../api/reconciliations';
import { useAllows } from '../api/session';
import { useText } from '../text';

type SideNames = Readonly<Record<'left' | 'right', string>>;

const context = createContext<SideNames | null>(null);

/** Provides the names of the two sides of a reconciliation: the names of their datasets. */
export function SideNamesProvider({ of, children }: { of: ReconciliationAnswer; children: ReactNode }) {
  const { frame } = useText();
  const { data } = useSideDatasets(of, useAllows('datasets:read'));
  const byId = new Map((data ?? []).map(({ id, name }) => [id, name]));
  const nameOf = (ids: readonly string[], side: string): string => {
    const [first, ...others] = ids.map((id) => byId.get(id) ?? side);
    return others.length === 0 ? (first ?? side) : `${first ?? side} +${others.length}`;
  };
  const left = nameOf(of.left_dataset_ids, frame.left);
  const right = nameOf(of.right_dataset_ids, frame.right);
  // Two sides of one dataset differ only by their place.
  const names =
    left === right ? { left: `${left} (${frame.left})`, right: `${right} (${frame.right})` } : { left, right };
  return <context.Provider value={names}>{children}</context.Provider>;
}

/** Returns the names of both sides, which outside of a reconciliation are left and right. */
export function useSideNames(): SideNames {
  const { frame } = useText();
  return useContext(context) ?? { left: frame.left, right: frame.right };
}
