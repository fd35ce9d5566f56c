import { formatDay, readDay } from '@tieout/engine';

/** The user names of the sandbox; each leads to another course of the login. */
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
 * The whole state of an item of the sandbox. The item's id holds it, so that nothing is stored and every process shows
 * the same.
 */
export interface SandboxState {
  scenario: Scenario;
  /** State of the login; `refused`: after a wrong answer. */
  login: 'begun' | 'accepted' | 'refused';
  /** Time of that state, in ms. */
  sinceMs: number;
  /** Day of the item's creation; data begin a year before it. */
  startDay: number;
  /** Day of the last refresh; data end there. */
  untilDay: number;
  refreshes: number;
  /** Hexadecimal; items with the same seed, created on the same day, have the same data. */
  seed: string;
}

const dayForm = String.raw`(\d{4}-\d\d-\d\d)`;
const form = new RegExp(
  String.raw`^sandbox\.([a-z-]+)\.(begun|accepted|refused)\.([0-9a-z]{1,9})\.` +
    String.raw`${dayForm}\.${dayForm}\.(\d{1,4})\.([0-9a-f]{8,64})$`,
);

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

/** Parses an id; null for one that the sandbox has not created. */
export function decodeState(id: string): SandboxState | null {
  const [, name, login, since = '', start, until, refreshes, seed = ''] = form.exec(id) ?? [];
  const scenario = scenarios.find((known) => known === name);
  const [startDay, untilDay] = [readDay(start), readDay(until)];
  if (scenario === undefined || !startDay.ok || !untilDay.ok) return null;
  // A forged id must not ask for centuries of data.
  if (untilDay.day < startDay.day || untilDay.day > startDay.day + maxDays) return null;
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
const maxDays = 3_660;

/** Later refreshes find nothing new. */
export const maxRefreshes = 9_999;
