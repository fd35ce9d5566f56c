import type { Account, CardTransaction, CreditCard, Investment, InvestmentTransaction, Transaction } from './shapes';

/** A connection to an institution as the provider sees it. */
export interface ProviderItem {
  /**
   * Id of the item from now on. It may differ from the id in the call, since a renewed consent has a new one: store it
   * after every answer. The old id stays readable with its old data.
   */
  id: string;
  status: ProviderStatus;
  executionStatus: ExecutionStatus;
  /** Set for LOGIN_ERROR, OUTDATED, and UPDATED with PARTIAL_SUCCESS. The message is for people. */
  error: { code: ExecutionStatus; message: string } | null;
  /** Set for WAITING_USER_INPUT: the input that `submitInput` takes. */
  parameter: RequestedParameter | null;
  /** Set for WAITING_USER_ACTION: the action of the user outside of this service. */
  userAction: UserAction | null;
  consentExpiresAt: string | null;
}

/** UPDATING changes without a call, so poll it; every other status stays until a call changes it. */
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
  /** The picture, where the question is one. */
  data: string | null;
  expiresAt: string;
}

export interface UserAction {
  type: 'app' | 'qr' | 'redirect';
  instructions: string;
  /** Url to open, or to show as a QR code. */
  url: string | null;
  expiresAt: string;
}

/** An institution that items can be connected to, and the parameters of its login. */
export interface Connector {
  id: string;
  name: string;
  parameters: { name: string; label: string; required: boolean; secret: boolean }[];
}

/** Secrets of a user: they appear in no error, log line or answer. */
export type Parameters = Readonly<Record<string, string>>;

export interface NewItem {
  connectorId: string;
  parameters: Parameters;
  clientUserId?: string;
  /** Another call with the same key creates no second item, whatever its other fields. */
  idempotencyKey: string;
}

export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal;
}

/**
 * Access to a provider of open finance. Item ids are the provider's. Lists are complete, without duplicates, newest
 * first (date, then id, both descending). Every failure is an AppError that repeats nothing of what the provider wrote:
 * provider_timeout, provider_unavailable, provider_rate_limited, provider_auth_failed, provider_bad_response,
 * provider_rejected (it refuses the request), provider_resource_not_found (it does not know the item, or a part of it).
 */
export interface OpenFinanceProvider {
  readonly name: string;
  /** Identifies the provider: data of one provider are never shown as another's. */
  readonly origin: string;
  listConnectors(options?: CallOptions): Promise<Connector[]>;
  createItem(item: NewItem, options?: CallOptions): Promise<ProviderItem>;
  getItem(itemId: string, options?: CallOptions): Promise<ProviderItem>;
  /** Submits the input for `parameter`; {} reports that the user has done `userAction`. */
  submitInput(itemId: string, parameters: Parameters, options?: CallOptions): Promise<ProviderItem>;
  /** Collects new data; with parameters it logs in again. */
  refresh(itemId: string, parameters?: Parameters, options?: CallOptions): Promise<ProviderItem>;
  /** Succeeds also for an item that no longer exists. */
  deleteItem(itemId: string, options?: CallOptions): Promise<void>;
  /** Lists all accounts, credit cards included. */
  listAccounts(itemId: string, options?: CallOptions): Promise<Account[]>;
  listCreditCards(itemId: string, options?: CallOptions): Promise<CreditCard[]>;
  listInvestments(itemId: string, options?: CallOptions): Promise<Investment[]>;
  /** Lists transactions of an account that is not a credit card. */
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
  /** The provider that items are created with. */
  readonly provider: OpenFinanceProvider;
  /**
   * Returns the provider at another base url, and sends nothing.
   * @throws AppError base_url_not_allowed for a base url that the operator has not listed
   */
  at(baseUrl: string): OpenFinanceProvider;
  close(): Promise<void>;
}
