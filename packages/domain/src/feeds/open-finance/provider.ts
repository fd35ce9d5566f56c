import type { Account, CardTransaction, CreditCard, Investment, InvestmentTransaction, Transaction } from './shapes';

/** A connection to an institution as the provider sees it. */
export interface ProviderItem {
  /**
   * The name under which the item goes on. It may be another one than asked with (a renewed consent has a new id), so it is to
   * be stored after every answer. The id before it stays readable with what it showed.
   */
  id: string;
  status: ProviderStatus;
  executionStatus: ExecutionStatus;
  /** Of LOGIN_ERROR and OUTDATED, and of UPDATED with PARTIAL_SUCCESS. The message is for people. */
  error: { code: ExecutionStatus; message: string } | null;
  /** Of WAITING_USER_INPUT: what `submitInput` takes. */
  parameter: RequestedParameter | null;
  /** Of WAITING_USER_ACTION: what the user does elsewhere. */
  userAction: UserAction | null;
  consentExpiresAt: string | null;
}

/** UPDATING: ask again. Everything else stays until somebody acts. */
export const providerStatuses = [
  'UPDATING',
  'WAITING_USER_INPUT',
  'WAITING_USER_ACTION',
  'UPDATED',
  'LOGIN_ERROR',
  'OUTDATED',
] as const;
export type ProviderStatus = (typeof providerStatuses)[number];

/** From COLLECTING on the login has been accepted. */
export const executionStatuses = [
  'LOGIN_IN_PROGRESS',
  'WAITING_USER_INPUT',
  'USER_AUTHORIZATION_PENDING',
  'COLLECTING',
  'SUCCESS',
  'PARTIAL_SUCCESS',
  'INVALID_CREDENTIALS',
  'INVALID_CREDENTIALS_MFA',
  'ACCOUNT_LOCKED',
  'SITE_NOT_AVAILABLE',
  'USER_INPUT_TIMEOUT',
  'ERROR',
] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export interface RequestedParameter {
  /** The key in the parameters of `submitInput`. */
  name: string;
  label: string;
  type: 'text' | 'number' | 'password' | 'image';
  /** Where the question is a picture. */
  data: string | null;
  expiresAt: string;
}

export interface UserAction {
  type: 'app' | 'qr' | 'redirect';
  instructions: string;
  /** What is opened, or shown as a QR code. */
  url: string | null;
  expiresAt: string;
}

/** An institution that items can be connected to, and what its login asks for. */
export interface Connector {
  id: string;
  name: string;
  parameters: { name: string; label: string; required: boolean; secret: boolean }[];
}

/** Secrets of a user. They are in no error, no log line and no answer. */
export type Parameters = Readonly<Record<string, string>>;

export interface NewItem {
  connectorId: string;
  parameters: Parameters;
  clientUserId?: string;
  /** Repeated with the same key, the call makes no second item, whatever the rest says. */
  idempotencyKey: string;
}

/** Ends a call early. */
export interface CallOptions {
  signal?: AbortSignal;
}

/**
 * Access to a provider of open finance. Item ids are the provider's. Lists are whole, without doubles, newest first (date, then
 * id, both descending). Every failure is an AppError that says nothing of what the provider wrote:
 * provider_timeout, provider_unavailable, provider_rate_limited, provider_auth_failed, provider_bad_response,
 * provider_rejected (it refuses what was asked), provider_resource_not_found (it does not know the item, or what is asked of it).
 */
export interface OpenFinanceProvider {
  readonly name: string;
  /** Distinguishes providers: what is kept of one is never shown as another's. */
  readonly origin: string;
  listConnectors(options?: CallOptions): Promise<Connector[]>;
  createItem(item: NewItem, options?: CallOptions): Promise<ProviderItem>;
  getItem(itemId: string, options?: CallOptions): Promise<ProviderItem>;
  /** The answer to `parameter`; without parameters: the user has done what `userAction` says. */
  submitInput(itemId: string, parameters: Parameters, options?: CallOptions): Promise<ProviderItem>;
  /** Collects what is new; with parameters, logs in anew. */
  refresh(itemId: string, parameters?: Parameters, options?: CallOptions): Promise<ProviderItem>;
  /** Also for an item that is gone. */
  deleteItem(itemId: string, options?: CallOptions): Promise<void>;
  /** All accounts, credit cards included. */
  listAccounts(itemId: string, options?: CallOptions): Promise<Account[]>;
  listCreditCards(itemId: string, options?: CallOptions): Promise<CreditCard[]>;
  listInvestments(itemId: string, options?: CallOptions): Promise<Investment[]>;
  /** Of an account that is no credit card. */
  listAccountTransactions(itemId: string, accountId: string, options?: CallOptions): Promise<Transaction[]>;
  listCardTransactions(itemId: string, cardId: string, options?: CallOptions): Promise<CardTransaction[]>;
  listInvestmentTransactions(
    itemId: string,
    investmentId: string,
    options?: CallOptions,
  ): Promise<InvestmentTransaction[]>;
}

/** The providers of a deployment. */
export interface OpenFinance {
  /** The one that items are made with. */
  readonly provider: OpenFinanceProvider;
  /** The provider at another base url. @throws AppError base_url_not_allowed where the operator has not listed it; nothing is sent */
  at(baseUrl: string): OpenFinanceProvider;
  close(): Promise<void>;
}
