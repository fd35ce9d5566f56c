import { createHash } from 'node:crypto';
import { providerRejected, providerResourceNotFound, providerUnavailable, unknownConnector } from '../failures';
import { newestFirst } from '../order';
import type { Connector, NewItem, OpenFinanceProvider, Parameters } from '../provider';
import { accountsOf, accountTransactions, cardsOf } from './accounts';
import { dayOf } from './calendar';
import { cardIdOf, cardTransactions } from './card';
import { investmentsOf, investmentTransactions } from './investments';
import { acceptedToken, isOpen, itemAt } from './lifecycle';
import { decodeState, maxRefreshes, scenarios, type SandboxState } from './state';

const connector: Connector = {
  id: 'sandbox',
  name: 'Banco Sandbox',
  parameters: [
    { name: 'user', label: `User: ${scenarios.join(', ')}`, required: true, secret: false },
    { name: 'password', label: 'Password: any', required: true, secret: true },
    { name: 'seed', label: 'Items with the same seed have the same data', required: false, secret: false },
  ],
};

export interface SandboxOptions {
  /** Default: the current time. */
  nowMs?: () => number;
}

/**
 * Creates the sandbox provider: it has no institutions, but a synthetic year of data for each item, and a user name for
 * each way a login can go. It stores nothing, since the id of an item holds its whole state: so all processes see the
 * same, and repeating a call changes nothing.
 */
export function createSandboxProvider({ nowMs = Date.now }: SandboxOptions = {}): OpenFinanceProvider {
  const stateOf = (itemId: string): SandboxState => {
    const state = decodeState(itemId);
    if (state === null) throw providerResourceNotFound();
    return state;
  };

  /** Returns the state whose data are shown; null while the login is not accepted. */
  const openState = (itemId: string): SandboxState | null => {
    const state = stateOf(itemId);
    if (!isOpen(state, nowMs())) return null;
    if (state.scenario === 'outage') throw providerUnavailable();
    return state;
  };

  const listed = <T>(itemId: string, list: (state: SandboxState) => T[]): T[] => {
    const state = openState(itemId);
    return state === null ? [] : list(state);
  };

  const found = <T extends { date: string; id: string }>(
    itemId: string,
    list: (state: SandboxState) => T[] | null,
  ): T[] => {
    const state = openState(itemId);
    const rows = state === null ? null : list(state);
    if (rows === null) throw providerResourceNotFound();
    return newestFirst(rows);
  };

  const begin = (parameters: Parameters, seed: string): SandboxState => {
    const now = nowMs();
    const scenario = scenarios.find((name) => name === parameters['user']) ?? 'bad-password';
    return { scenario, login: 'begun', sinceMs: now, startDay: dayOf(now), untilDay: dayOf(now), refreshes: 0, seed };
  };

  return {
    name: 'sandbox',
    origin: 'sandbox',
    listConnectors: async () => [connector],
    createItem: async ({ connectorId, parameters, idempotencyKey }: NewItem) => {
      if (connectorId !== connector.id) throw unknownConnector([connector.id]);
      checkParameters(parameters);
      return itemAt(begin(parameters, seedOf(parameters['seed'] ?? idempotencyKey)), nowMs());
    },
    getItem: async (itemId) => itemAt(stateOf(itemId), nowMs()),
    submitInput: async (itemId, parameters) => {
      const state = stateOf(itemId);
      const { status } = itemAt(state, nowMs());
      if (status === 'WAITING_USER_ACTION') return itemAt({ ...state, login: 'accepted' }, nowMs());
      if (status !== 'WAITING_USER_INPUT') return itemAt(state, nowMs());
      return itemAt({ ...state, login: parameters['token'] === acceptedToken ? 'accepted' : 'refused' }, nowMs());
    },
    refresh: async (itemId, parameters) => {
      const state = stateOf(itemId);
      const now = nowMs();
      const { status } = itemAt(state, now);
      const { startDay, seed } = state;
      const later = {
        startDay,
        seed,
        untilDay: Math.max(state.untilDay, dayOf(now)),
        refreshes: Math.min(maxRefreshes, state.refreshes + (status === 'UPDATED' ? 1 : 0)),
      };
      if (parameters !== undefined) {
        checkParameters(parameters);
        return itemAt({ ...begin(parameters, seed), ...later }, now);
      }
      if (status === 'UPDATED') return itemAt({ ...state, ...later, login: 'accepted' }, now);
      const inProgress = status === 'UPDATING' || status === 'WAITING_USER_INPUT' || status === 'WAITING_USER_ACTION';
      return itemAt(inProgress ? state : { ...state, ...later, login: 'begun', sinceMs: now }, now);
    },
    deleteItem: async () => undefined,
    listAccounts: async (itemId) => listed(itemId, accountsOf),
    listCreditCards: async (itemId) => listed(itemId, cardsOf),
    listInvestments: async (itemId) =>
      listed(itemId, (state) => (state.scenario === 'partial' ? [] : investmentsOf(state))),
    listAccountTransactions: async (itemId, accountId) =>
      found(itemId, (state) => accountTransactions(state, accountId)),
    listCardTransactions: async (itemId, cardId) =>
      found(itemId, (state) => (cardId === cardIdOf(state) ? cardTransactions(state) : null)),
    listInvestmentTransactions: async (itemId, investmentId) =>
      found(itemId, (state) => (state.scenario === 'partial' ? null : investmentTransactions(state, investmentId))),
  };
}

const seedOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function checkParameters(parameters: Parameters): void {
  const missing = connector.parameters.filter(({ name, required }) => required && !parameters[name]);
  if (missing.length === 0) return;
  throw providerRejected(
    missing.map(({ name }) => ({
      path: `/parameters/${name}`,
      code: 'required',
      message: 'is required by the connector',
    })),
  );
}
