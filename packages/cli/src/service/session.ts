import { createClient, TieoutError, type Retry, type Tieout } from '@tieout/client';
import { CommandError } from '../failure';
import { jsonText, shownLines, shownText, writeAll, type Terminal } from '../output/print';
import { readServiceSettings } from './config';
import { readProfiles } from './profiles';

export const defaultUrl = 'http://localhost:3000';
export const defaultProfile = 'default';

export interface ServiceOptions {
  profile?: string;
  url?: string;
  tenant?: string;
  json?: true;
}

/** Retries that go on for some 40 s, in which a service starts again. */
const restartRetries = 8;

/** A client of the service, and how its answers are shown. */
export interface Session {
  tieout: Tieout;
  url: string;
  terminal: Terminal;
  /** Turns an error of the service into what the user can do about it, also about the key of this session. */
  explained: (error: TieoutError) => CommandError;
  /** Waits for an answer about work that is done in part; an error says first what is done. */
  after: <T>(done: string, answer: Promise<T>) => Promise<T>;
  /** Prints an answer: as JSON where that is asked for, else as the text. */
  show: (answer: unknown, text: () => string) => Promise<void>;
}

/** @param name the option or variable that gives the address */
export function refuseNoAddress(name: string, url: string): void {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url))
    throw new CommandError(`${name}: "${url}" is not an address; write it like ${defaultUrl}`);
}

/** Prints why the first of all retries is made. */
function firstRetryPrinter({ err }: Terminal): (retry: Retry) => void {
  let isPrinted = false;
  return ({ reason }) => {
    if (isPrinted) return;
    isPrinted = true;
    // A progress bar gives its line up.
    const start = err.isTTY === true ? '\r\u001b[2K' : '';
    err.write(`${start}tieout: ${shownText(reason, 200)}; trying again, Ctrl-C ends it\n`);
  };
}

/**
 * Opens a session with the key of the environment or of a profile. By default its requests outlast a restart of the
 * service.
 */
export async function openSession(
  options: ServiceOptions,
  terminal: Terminal,
  maxRetries = restartRetries,
): Promise<Session> {
  const settings = readServiceSettings(terminal.env);
  const name = options.profile ?? settings.profile ?? defaultProfile;
  const profile = (await readProfiles(settings.file))[name];
  if (options.profile !== undefined && profile === undefined)
    throw new CommandError(`There is no profile "${name}": run tieout login --profile ${name}`);
  if (options.url !== undefined) refuseNoAddress('--url', options.url);
  else if (settings.url !== undefined) refuseNoAddress('TIEOUT_URL', settings.url);
  const url = options.url ?? settings.url ?? profile?.url ?? defaultUrl;
  const ownKey = options.profile === undefined ? settings.key : undefined;
  const key = ownKey ?? profile?.key;
  if (key === undefined) throw new CommandError('There is no key: run tieout login, or set TIEOUT_KEY');
  const tenantId = options.tenant ?? settings.tenant ?? profile?.tenant;
  // With --json, only an error is written beside the answer.
  const onRetry = options.json === true ? undefined : firstRetryPrinter(terminal);
  const login = `tieout login${name === defaultProfile ? '' : ` --profile ${name}`}`;
  const keyRemedy =
    ownKey === undefined
      ? `It is that of the profile "${name}"; run ${login} with another one`
      : 'It is that of TIEOUT_KEY; set that to another one';
  const explain = (error: TieoutError): CommandError => explained(error, keyRemedy);
  return {
    tieout: createClient({ baseUrl: url, apiKey: key, tenantId, maxRetries, onRetry }),
    url,
    terminal,
    explained: explain,
    after: (done, answer) =>
      answer.catch((error: unknown) => {
        if (!(error instanceof TieoutError)) throw error;
        const { message, details, answer: told } = explain(error);
        throw new CommandError(`${done}: ${message}`, details, told);
      }),
    show: (answer, text) => writeAll(terminal.out, [options.json === true ? jsonText(answer) : shownLines(text())]),
  };
}

/**
 * Turns an error of the service into what the user can do about it.
 * @param keyRemedy what mends a key that is refused
 */
export function explained(error: TieoutError, keyRemedy = newKeyRemedy): CommandError {
  // The message of a single fault names its place already.
  const faults = error.errors.filter(({ message }) => !(error.errors.length === 1 && error.message.includes(message)));
  const details = faults.map(({ path, message }) => `${path} ${asCommand(message)}`.trim());
  const remedy = remedies[error.code] ?? (error.status === 401 ? keyRemedy : undefined);
  const request = error.requestId === undefined ? [] : [`Request ${error.requestId}`];
  const said = reworded[error.code] ?? asCommand(error.message);
  const sentence = /[.?]$/.test(said) ? said : `${said}.`;
  const text = remedy === undefined ? said : `${sentence} ${remedy}`;
  const message = shownText(text, 2_000);
  const { status, code, requestId } = error;
  return new CommandError(message, [...details, ...(status >= 500 ? request : [])], { status, code, requestId });
}

const newKeyRemedy = 'It is unknown, revoked or has expired; run tieout login with another one';

const remedies: Record<string, string | undefined> = {
  no_answer: 'Is the service running, and --url its address?',
  no_tieout_answer: 'Give the address of the service with --url',
  redirected: 'Give it with --url',
};

/** Names the command in place of the request that a message tells to send. */
const asCommand = (message: string): string => message.replace('GET /v1/reason-codes', 'tieout reason-codes');

/** The words for errors of which the service speaks as of a request. */
const reworded: Record<string, string | undefined> = {
  tenant_required: 'The platform key acts for a tenant: give its id with --tenant',
};
