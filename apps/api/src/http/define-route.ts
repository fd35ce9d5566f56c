import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema, TString, TUndefined } from '@sinclair/typebox';
import type { RateClass, TenantScope, RunWithPermit, ReceivedUpload } from '@tieout/domain';
import type { StoredObject, SystemDb } from '@tieout/infra';
import type { ApiDeps } from './deps';
import type { Access, PlatformAccess, PrincipalOf, TenantAccess } from './access';
import type { RequestSender } from './sender';
import type { Reply } from './reply';
import type { ResourceName } from './resources';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface ResponseDefinition {
  description: string;
  /** Without a schema the answer has no body, or one that contentType describes. */
  schema?: TSchema;
  /** Default: application/json where there is a schema. */
  contentType?: string;
  /** Further media types that a caller can choose. */
  otherContentTypes?: readonly string[];
}

/** A body that the handler receives as bytes. */
export interface RawBody {
  contentTypes: readonly string[];
  /** A cheap upper bound for the rows that the handler parses from a body and holds in memory. */
  rowsOf?: (body: Buffer) => number;
}

/** A body of multipart/form-data with one file. `body` describes the other fields, all of which are texts. */
export interface MultipartBody<U extends ReceivedUpload = ReceivedUpload> {
  /** The name of the part that holds the file. */
  part: string;
  fileLimitBytes: number;
  /** Refuses a request that cannot succeed, before its first byte is read. */
  begin: (scope: TenantScope, params: Readonly<Record<string, string>>) => Promise<U>;
}

/** The file of a multipart body; the storage holds its bytes. */
export interface ReceivedFile<U extends ReceivedUpload = ReceivedUpload> {
  upload: U;
  /** The file name that the sender gave. */
  name: string;
  stored: StoredObject;
}

/**
 * The resource that each id in the path names; `any` for operations that accept unknown ids. A parameter that is not
 * an id has a schema that describes it: the operation itself refuses a text that does not fit.
 */
export type PathParams = Readonly<Record<string, ResourceName | 'any' | TString>>;

export interface Context<
  A extends Access,
  P extends PathParams,
  Q extends TObject,
  B extends TSchema,
  W,
  M = undefined,
  R = undefined,
> {
  /** The tenant's data; within the transaction of the stored answer if the request has an Idempotency-Key. */
  scope: A extends TenantAccess ? TenantScope : undefined;
  /** Data across tenants, for platform operations; within the same transaction. */
  system: A extends PlatformAccess ? SystemDb : undefined;
  principal: PrincipalOf<A>;
  /** Ids in lower case. */
  params: { readonly [K in keyof P]: string };
  query: Static<Q>;
  body: W extends RawBody ? Buffer : Static<B>;
  /** The result of `prepare`. */
  prepared: R;
  file: M extends MultipartBody<infer U> ? ReceivedFile<U> : undefined;
  headers: IncomingHttpHeaders;
  sender: () => RequestSender;
  /** Runs a task that may hold a connection to the database; only routes that run without a permit need it. */
  withPermit: RunWithPermit;
  deps: ApiDeps;
  requestId: string;
}

interface RouteDefinition<
  A extends Access,
  P extends PathParams,
  Q extends TObject,
  B extends TSchema,
  W extends RawBody | undefined,
  M extends MultipartBody | undefined,
  R = undefined,
> {
  method: Method;
  /** Express style: /v1/datasets/:id */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  /** A text that is not a UUID is answered like an unknown id. */
  params?: P;
  query?: Q;
  /** The schema of a JSON body, or of the fields of a form. */
  body?: B;
  /** Replaces the JSON body. */
  rawBody?: W;
  /** Makes the body a form with a file; for tenant operations only. */
  multipart?: M;
  /** Accepts an empty body, which means {}, and a body without media type. */
  lenientBody?: boolean;
  /** Default: 100 KiB. */
  bodyLimitBytes?: number;
  /** Allows agents that may otherwise only read to use it. */
  isForAgents?: boolean;
  /** Honours Idempotency-Key. */
  idempotent?: boolean;
  /** Marks a body or answer with a secret: the stored answer can be decrypted with the caller's own key only. */
  secretAnswer?: boolean;
  /**
   * Updates what the stored answer of an idempotent operation says about the present before it is sent again, such as
   * whether a key still works.
   */
  renew?: (scope: TenantScope, answer: unknown) => Promise<unknown>;
  /** The class of its rate limit. Default: `costly` where it calls a provider, else `read` for GET, else `write`. */
  rateClass?: RateClass;
  /**
   * Lets many requests of a tenant share one connection. `group`: requests without an Idempotency-Key are carried out
   * together. `read`: the handler first runs with short reads only, and again with a connection where they do not
   * suffice.
   */
  sharesConnection?: 'group' | 'read';
  /**
   * Lets a replica answer that has all that was committed when the request began. Only for handlers that change
   * nothing: a replica refuses changes and temporary tables, and what fails there runs again on the primary.
   */
  readsReplica?: boolean;
  /** True for a GET that the state of what it names can refuse with 409; other methods always can. */
  mayConflict?: boolean;
  /** Declares that it calls the provider of open finance and may answer with the provider's failures. */
  callsProvider?: boolean;
  /** Runs the handler without a permit, because it waits for more than the database: it reads within `withPermit`. */
  runsWithoutPermit?: boolean;
  /** The answers of success; the failures are added for all routes. */
  responses: Readonly<Record<number, ResponseDefinition>>;
  /**
   * Fetches what the handler needs from other services. It runs before the handler and outside of any transaction, so
   * that the request holds no connection in the meantime. It also runs for a replay: it returns a failure instead of
   * throwing it.
   */
  prepare?: (context: Pick<Context<A, P, Q, B, W, M>, 'body' | 'deps'>) => Promise<R>;
  handler: (context: Context<A, P, Q, B, W, M, R>) => Promise<Reply> | Reply;
}

/** A declared route, without the types of its own input. */
export type Route = RouteDefinition<
  Access,
  PathParams,
  TObject,
  TSchema,
  RawBody | undefined,
  MultipartBody | undefined,
  unknown
>;

/**
 * Declares one operation: its input, its callers and its answers. The same schemas give the types of the handler, the
 * validation and the OpenAPI document.
 */
export function defineRoute<
  A extends Access,
  P extends PathParams = Record<never, never>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TUndefined,
  W extends RawBody | undefined = undefined,
  M extends MultipartBody | undefined = undefined,
  R = undefined,
>(definition: RouteDefinition<A, P, Q, B, W, M, R>): Route {
  return definition as unknown as Route;
}

export const defaultBodyLimitBytes = 100 * 1024;
