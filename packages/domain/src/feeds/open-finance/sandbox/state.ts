import { formatDay, readDay } from '@tieout/engine';

/** The users of the sandbox: each leads an item another way. */
export const scenarios = [
  'ok',
  'mfa',
  'mfa-timeout',
  'action',
  'slow',
  'partial',
  'bad-password',
  'locked',
  'unavailable',
  'outage',
] as const;
export type Scenario = (typeof scenarios)[number];

/**
 * All that the sandbox knows of an item. It is written in the item's id, so that any process tells the same of it: nothing is
 * kept anywhere.
 */
export interface SandboxState {
  scenario: Scenario;
  /** Of the login: begun, accepted, or refused for a wrong answer. */
  login: 'begun' | 'accepted' | 'refused';
  /** When that was, in ms. */
  sinceMs: number;
  /** The day of the item's creation: a year of data lies before it. */
  startDay: number;
  /** The day of the last refresh: data goes up to it. */
  untilDay: number;
  refreshes: number;
  /** Hexadecimal; items with the same one, made on the same day, have the same data. */
  seed: string;
}

const form =
  /^sandbox\.([a-z-]+)\.(begun|accepted|refused)\.([0-9a-z]{1,9})\.(\d{4}-\d\d-\d\d)\.(\d{4}-\d\d-\d\d)\.(\d{1,4})\.([0-9a-f]{8,64})$/;

export function encodeState(state: SandboxState): string {
  const { scenario, login, sinceMs, startDay, untilDay, refreshes, seed } = state;
  return [
    'sandbox',
    scenario,
    login,
    sinceMs.toString(36),
    formatDay(startDay),
    formatDay(untilDay),
    refreshes,
    seed,
  ].join('.');
}

/** null for a text that the sandbox has not made. */
export function decodeState(id: string): SandboxState | null {
  const [, name, login, since = '', start, until, refreshes, seed = ''] = form.exec(id) ?? [];
  const scenario = scenarios.find((known) => known === name);
  const [startDay, untilDay] = [readDay(start), readDay(until)];
  if (scenario === undefined || !startDay.ok || !untilDay.ok) return null;
  // Nothing that was not made here asks for the data of centuries.
  if (untilDay.day < startDay.day || untilDay.day > startDay.day + mostDays) return null;
  return {
    scenario,
    login: login as SandboxState['login'],
    sinceMs: parseInt(since, 36),
    startDay: startDay.day,
    untilDay: untilDay.day,
    refreshes: Number(refreshes),
    seed,
  };
}

/** Ten years. */
const mostDays = 3_660;

/** What comes after them finds nothing. */
export const mostRefreshes = 9_999;
