import {
  Link,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  lazyRouteComponent,
  useMatch,
  type AnyRoute,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { useState, type ComponentType } from 'react';
import { Frame, type NavEntry } from './parts/frame';
import { ReconciliationFrame } from './parts/reconciliation-frame';
import { Fault } from './parts/states';
import { useText } from './text';

interface Screen extends NavEntry {
  load: () => Promise<{ default: ComponentType }>;
  /** Absent from the navigation: the screen is reached from others. */
  isInner?: boolean;
}

/** Every screen except those of a reconciliation, in the order of the navigation. */
const screens: readonly Screen[] = [
  { to: '/', name: 'overview', key: 'o', load: () => import('./screens/overview') },
  { to: '/import', name: 'import', key: 'i', load: () => import('./screens/import') },
  { to: '/activity', name: 'activity', key: 'a', load: () => import('./screens/activity') },
  { to: '/settings', name: 'settings', key: 't', load: () => import('./screens/settings') },
];

/** The screens of one reconciliation, in the order of its tabs. */
const ofReconciliation: readonly Screen[] = [
  { to: '/reconciliations/$id/workbench', name: 'workbench', key: 'w', load: () => import('./screens/workbench') },
  {
    to: '/reconciliations/$id/suggestions',
    name: 'suggestions',
    key: 's',
    load: () => import('./screens/suggestions'),
  },
  { to: '/reconciliations/$id/groups', name: 'groups', key: 'm', load: () => import('./screens/groups') },
  { to: '/reconciliations/$id/groups/$groupId', name: 'groups', load: () => import('./screens/group'), isInner: true },
  { to: '/reconciliations/$id/runs', name: 'runs', key: 'r', load: () => import('./screens/runs') },
  { to: '/reconciliations/$id/exceptions', name: 'exceptions', key: 'e', load: () => import('./screens/exceptions') },
  { to: '/reconciliations/$id/rules', name: 'rules', key: 'u', load: () => import('./screens/rules') },
  { to: '/reconciliations/$id/close', name: 'close', key: 'c', load: () => import('./screens/close') },
];

const inNavigation = (all: readonly Screen[]): readonly Screen[] => all.filter(({ isInner }) => isInner !== true);

function NotFound() {
  const { frame } = useText();
  return (
    <div className="state">
      <h1>{frame.notThere}</h1>
      <p>{frame.notThereHint}</p>
      <Link className="button" to="/">
        {frame.home}
      </Link>
    </div>
  );
}

/**
 * Says that a file of a screen is missing: the connection is cut, or the build has been replaced. The router must not
 * see the browser's error: it would reload the page at once, and without a connection nothing of it would be left.
 */
class ScreenMissing extends Error {}

const loadOf =
  (load: Screen['load']): Screen['load'] =>
  () =>
    load().catch((cause: unknown) => Promise.reject(new ScreenMissing('The screen is missing', { cause })));

function Failed({ error, reset }: ErrorComponentProps) {
  const { frame } = useText();
  const [isCut, setCut] = useState(false);
  if (!(error instanceof ScreenMissing)) return <Fault error={error} retry={reset} />;
  const reload = (): void => {
    setCut(false);
    fetch(location.href, { cache: 'no-store' }).then(
      () => location.reload(),
      () => setCut(true),
    );
  };
  return (
    <div className="state" role="alert">
      <p>{isCut ? frame.noAnswer : frame.notLoaded}</p>
      <button type="button" className="button primary" onClick={reload}>
        {frame.reload}
      </button>
    </div>
  );
}

const invitationPath = '/invitation';

/** An invitation has no frame: its person is not signed in, or is not the one who is. */
function Root() {
  const invitation = useMatch({ from: invitationPath, shouldThrow: false });
  return invitation === undefined ? <Frame entries={inNavigation(screens)} /> : <Outlet />;
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Failed,
});

const inside = createRoute({
  getParentRoute: () => root,
  id: 'reconciliation',
  component: () => <ReconciliationFrame entries={inNavigation(ofReconciliation)} />,
});

/** The address of a reconciliation alone leads to its first screen. */
const ofReconciliationAlone = createRoute({
  getParentRoute: () => root,
  path: '/reconciliations/$id',
  beforeLoad: ({ params: { id } }) =>
    redirect({ to: '/reconciliations/$id/workbench', params: { id }, replace: true, throw: true }),
});

const routeOf = (parent: AnyRoute, { to, load }: Pick<Screen, 'to' | 'load'>): AnyRoute =>
  createRoute({
    getParentRoute: () => parent,
    path: to,
    component: lazyRouteComponent(loadOf(load)),
    errorComponent: Failed,
  });

/** Search parameters are plain texts, so that people can read an address. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...screens.map((screen) => routeOf(root, screen)),
    routeOf(root, { to: invitationPath, load: () => import('./screens/invitation') }),
    ofReconciliationAlone,
    inside.addChildren(ofReconciliation.map((screen) => routeOf(inside, screen))),
  ]),
  basepath: '/app',
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search as Record<string, string | undefined>).filter(([, value]) => value);
    return entries.length === 0 ? '' : `?${new URLSearchParams(entries as [string, string][]).toString()}`;
  },
  defaultErrorComponent: Failed,
});
