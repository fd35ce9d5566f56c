import { closed, defineRoute, reply, tenantAccess, type Route } from '../../http';
import {
  accountsAnswer,
  accountTransactionsAnswer,
  cardTransactionsAnswer,
  creditCardsAnswer,
  investmentsAnswer,
  investmentTransactionsAnswer,
  itemQuery,
  pagedQuery,
  idParameter,
} from './schemas';

const tag = 'Open finance';
const access = tenantAccess('browse:read', 'none');
const at = (list: string): string => `/v1/data-sources/openfinance/browse/${list}`;

const accounts = defineRoute({
  method: 'get',
  path: at('accounts'),
  operationId: 'browseAccounts',
  tag,
  summary: 'Accounts of an item, credit cards included',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed(pagedQuery(500)),
  responses: { 200: { description: 'A page of accounts', schema: accountsAnswer } },
  handler: async ({ scope, query, deps }) => {
    const { pagination, rows } = await deps.browse.accounts(scope, query);
    return reply(200, { pagination, accounts: rows });
  },
});

const accountTransactions = defineRoute({
  method: 'get',
  path: at('account-transactions'),
  operationId: 'browseAccountTransactions',
  tag,
  summary: 'Transactions of an account, newest first',
  description: 'Pages requested within a minute belong to the same list, unless a sync has changed it.',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed({ ...pagedQuery(500), accountId: idParameter('An account of the item that is not a credit card') }),
  responses: { 200: { description: 'A page of transactions', schema: accountTransactionsAnswer } },
  handler: async ({ scope, query, deps }) => {
    const { pagination, rows } = await deps.browse.accountTransactions(scope, query);
    return reply(200, { pagination, transactions: rows });
  },
});

const creditCards = defineRoute({
  method: 'get',
  path: at('credit-cards'),
  operationId: 'browseCreditCards',
  tag,
  summary: 'Credit cards of an item',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed(pagedQuery(500)),
  responses: { 200: { description: 'A page of credit cards', schema: creditCardsAnswer } },
  handler: async ({ scope, query, deps }) => {
    const { pagination, rows } = await deps.browse.creditCards(scope, query);
    return reply(200, { pagination, creditCards: rows });
  },
});

const cardTransactions = defineRoute({
  method: 'get',
  path: at('credit-card-transactions'),
  operationId: 'browseCreditCardTransactions',
  tag,
  summary: 'Transactions of a credit card, newest first',
  description:
    'Each installment is a transaction. Pages requested within a minute belong to the same list, unless a sync has ' +
    'changed it.',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed({ ...pagedQuery(100), cardId: idParameter('A credit card of the item') }),
  responses: { 200: { description: 'A page of transactions', schema: cardTransactionsAnswer } },
  handler: async ({ scope, query, deps }) => {
    const { pagination, rows } = await deps.browse.cardTransactions(scope, query);
    return reply(200, { pagination, transactions: rows });
  },
});

const investments = defineRoute({
  method: 'get',
  path: at('investments'),
  operationId: 'browseInvestments',
  tag,
  summary: 'Investments of an item',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed(pagedQuery(500)),
  responses: { 200: { description: 'A page of investments', schema: investmentsAnswer } },
  handler: async ({ scope, query, deps }) => {
    const { pagination, rows } = await deps.browse.investments(scope, query);
    return reply(200, { pagination, investments: rows });
  },
});

const investmentTransactions = defineRoute({
  method: 'get',
  path: at('investment-transactions'),
  operationId: 'browseInvestmentTransactions',
  tag,
  summary: 'All transactions of an investment, newest first',
  access,
  callsProvider: true,
  runsWithoutPermit: true,
  query: closed({ ...itemQuery, investmentId: idParameter('An investment of the item') }),
  responses: { 200: { description: 'The transactions', schema: investmentTransactionsAnswer } },
  handler: async ({ scope, query, deps }) =>
    reply(200, { transactions: await deps.browse.investmentTransactions(scope, query) }),
});

export const browseRoutes: readonly Route[] = [
  creditCards,
  cardTransactions,
  accounts,
  accountTransactions,
  investments,
  investmentTransactions,
];
