import { Link } from '@tanstack/react-router';
import { useReconciliation } from '../../api/reconciliations';
import { useAddress, usePathId } from '../../parts/address';
import { PageHead } from '../../parts/frame';
import { Loaded } from '../../parts/states';
import { useText } from '../../text';
import { Failed } from './failed';
import { Items, Late } from './items';
import { Rejected } from './rejected';
import { Stale } from './stale';

const views = { items: Items, stale: Stale, late: Late, failed: Failed, rejected: Rejected } as const;
type ViewName = keyof typeof views;

const names = Object.keys(views) as ViewName[];

export default function Exceptions() {
  const { exceptions } = useText();
  const id = usePathId();
  const { search } = useAddress();
  const query = useReconciliation(id);
  const view = names.find((name) => name === search.view) ?? 'items';
  const View = views[view];
  return (
    <>
      <PageHead name={exceptions.title} title={exceptions.title} hint={exceptions.hint} />
      <nav className="segments" aria-label={exceptions.title}>
        {names.map((name) => (
          <Link
            key={name}
            to="."
            search={name === 'items' ? {} : { view: name }}
            activeOptions={{ exact: true }}
            aria-current={name === view ? 'page' : undefined}
          >
            {exceptions.views[name]}
          </Link>
        ))}
      </nav>
      <Loaded query={query}>{(reconciliation) => <View reconciliation={reconciliation} />}</Loaded>
    </>
  );
}
