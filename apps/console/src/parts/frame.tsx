import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { queryClient } from '../api/client';
import { callerName, signOut, useSession, type Arrival, type Me, type SessionState } from '../api/session';
import { useLanguage, useText, type Texts } from '../text';
import { Dialog } from './dialog';
import { focusContent } from './focus';
import { Logo } from './icons';
import { KeyProvider, useKeyHelp, useKeys } from './keys';
import { SignInForm } from './sign-in-form';
import { Skeleton } from './states';
import { ToastProvider, useToasts } from './toasts';

export interface NavEntry {
  to: string;
  name: keyof Texts['frame']['screens'];
  /** The key that opens the screen after `G`. */
  key?: string;
}

interface ScreenLinksProps {
  entries: readonly NavEntry[];
  label: string;
  className: string;
  params?: Readonly<Record<string, string>>;
}

/** Links to screens, with their keys. */
export function ScreenLinks({ entries, label, className, params = {} }: ScreenLinksProps) {
  const { frame } = useText();
  const navigate = useNavigate();
  useKeys(
    entries.map(({ to, name, key = '' }) => ({
      key: `g ${key}`,
      label: frame.screens[name],
      run: () => void navigate({ to, params } as never),
    })),
  );
  const nav = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    // On a narrow screen the links are a line that scrolls sideways.
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <nav ref={nav} className={className} aria-label={label}>
      {entries.map(({ to, name }) => (
        <Link key={to} to={to} params={params} activeOptions={{ exact: to === '/', includeSearch: false }}>
          {frame.screens[name]}
        </Link>
      ))}
    </nav>
  );
}

/** Moves the focus into a screen that has just been opened: keys would still go to the link that opened it. */
function useFocusOnScreen(status: SessionState['status']): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const place = status === 'starting' ? undefined : status === 'out' ? 'out' : path;
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== undefined && before.current !== place) focusContent();
    before.current = place;
  }, [place]);
}

function CallerPanel({ me }: { me: Me }) {
  const { frame } = useText();
  const { language, setLanguage } = useLanguage();
  const openHelp = useKeyHelp();
  const toasts = useToasts();
  const leave = (): void => void signOut().then(() => queryClient.clear(), toasts.fail);
  return (
    <div className="who">
      <div className="name">
        <strong>
          <bdi>{callerName(me)}</bdi>
        </strong>
        <div>
          <bdi>{me.tenant.name}</bdi>
        </div>
      </div>
      <div className="row">
        <button type="button" className="text-button" onClick={openHelp}>
          {frame.keys} <kbd>?</kbd>
        </button>
        <button
          type="button"
          className="text-button"
          lang={language === 'en' ? 'pt' : 'en'}
          onClick={() => setLanguage(language === 'en' ? 'pt' : 'en')}
        >
          {frame.language}
        </button>
        <button type="button" className="text-button" onClick={leave}>
          {frame.signOut}
        </button>
      </div>
    </div>
  );
}

/** A page without the frame, to sign in or to accept an invitation. */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="sign-in">
      <title>{`${title} · Tieout`}</title>
      <div className="card">
        <div className="brand">
          <Logo /> Tieout
        </div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

function SignInPage({ fault, arrival }: { fault: unknown; arrival: Arrival | undefined }) {
  const { signIn } = useText();
  return (
    <EntryPage title={signIn.title}>
      <SignInForm failed={fault} arrival={arrival} onSignedIn={() => undefined} />
    </EntryPage>
  );
}

/** Shows the frame around every screen to a person who has signed in, and the sign-in page to others. */
export function Frame({ entries }: { entries: readonly NavEntry[] }) {
  const session = useSession();
  const { frame, signIn } = useText();
  useFocusOnScreen(session.status);
  if (session.status === 'starting') {
    return (
      <main className="sign-in">
        <Skeleton />
      </main>
    );
  }
  if (session.status === 'out') return <SignInPage fault={session.fault} arrival={session.arrival} />;
  return (
    <ToastProvider>
      <KeyProvider>
        <a className="button primary skip" href="#content">
          {frame.skip}
        </a>
        <div className="frame">
          <header>
            <Link className="brand" to="/">
              <Logo /> Tieout
            </Link>
            <ScreenLinks className="nav" label={frame.navigation} entries={entries} />
            <CallerPanel me={session.me} />
          </header>
          <main id="content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        {session.status === 'ended' ? (
          <Dialog title={signIn.ended}>
            <p className="soft">{signIn.endedHint}</p>
            <SignInForm email={session.me.user?.email} onSignedIn={() => void queryClient.invalidateQueries()} />
          </Dialog>
        ) : null}
      </KeyProvider>
    </ToastProvider>
  );
}

/** The title of a screen that fills the window: the tabs show it, and readers of the screen hear it. */
export function HiddenHead({ title, of }: { title: string; of?: string }) {
  return (
    <>
      <title>{`${of === undefined ? title : `${title}: ${of}`} · Tieout`}</title>
      <h1 className="visually-hidden">{title}</h1>
    </>
  );
}

interface PageHeadProps {
  title: ReactNode;
  hint?: ReactNode;
  /** The title of the browser's window. */
  name: string;
  children?: ReactNode;
}

/** The head of a screen: its title, and the actions on the screen as a whole. */
export function PageHead({ title, hint, name, children }: PageHeadProps) {
  return (
    <div className="page-head">
      <title>{`${name} · Tieout`}</title>
      <div className="title">
        <h1>{title}</h1>
        {hint ? <p className="soft">{hint}</p> : null}
      </div>
      {children ? <div className="actions">{children}</div> : null}
    </div>
  );
}
