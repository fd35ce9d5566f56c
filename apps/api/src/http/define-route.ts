import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema, TUndefined } from '@sinclair/typebox';
import type { RateClass, TenantScope, RunWithPermit, Upload } from '@tieout/domain';
import type { StoredObject, SystemDb } from '@tieout/infra';
import type { ApiDeps } from './deps';
import type { Access, PlatformAccess, PrincipalOf, TenantAccess } from './access';
import type { Reply } from './reply';
import type { ResourceName } from './resources';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface ResponseDefinition {
  description: string;
  /** Without one the answer has no body, or one that contentType describes. */
  schema?: TSchema;
  /** Default: application/json when there is a schema. */
  contentType?: string;
}

/** A body that the handler gets as bytes. */
export interface RawBody {
  contentTypes: readonly string[];
  /** An upper bound of the rows that the handler makes of a body and holds in memory, cheaply found. */
  rowsOf?: (body: Buffer) => number;
}

/** A body of multipart/form-data with one file. The fields beside it are described by `body`; all of them are texts. */
export interface MultipartBody {
  /** Name of the part that holds the file. */
  part: string;
  fileLimitBytes: number;
  /** Called before the first byte is read: a request that cannot succeed is refused here. */
  begin: (scope: TenantScope, params: Readonly<Record<string, string>>) => Promise<Upload>;
}

/** The file of a multipart body, whose bytes are in the storage. */
export interface ReceivedFile {
  upload: Upload;
  /** As the sender calls it. */
  name: string;
  stored: StoredObject;
}

/** `any`: the id is not checked, for operations that do not mind an unknown one. */
export type PathParams = Readonly<Record<string, ResourceName | 'any'>>;

export interface Context<
  A extends Access,
  P extends PathParams,
  Q extends TObject,
  B extends TSchema,
  W,
  M = undefined,
  R = undefined,
> {
  /** The tenant's data, inside the idempotency transaction if the request has a key; tenant operations only. */
  scope: A extends TenantAccess ? TenantScope : undefined;
  /** Data across tenants, inside the idempotency transaction if the request has a key; platform operations only. */
  system: A extends PlatformAccess ? SystemDb : undefined;
  principal: PrincipalOf<A>;
  /** Ids in lower case. */
  params: { readonly [K in keyof P]: string };
  query: Static<Q>;
  body: W extends RawBody ? Buffer : Static<B>;
  /** What `prepare` found. */
  prepared: R;
  file: M extends MultipartBody ? ReceivedFile : undefined;
  headers: IncomingHttpHeaders;
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
  /** Every id in the path with the resource that it names: a text that is no UUID answers like an unknown id. */
  params?: P;
  query?: Q;
  /** A JSON body. */
  body?: B;
  /** Instead of a JSON body. */
  rawBody?: W;
  /** The body is no JSON but a form with a file. Tenant operations only. */
  multipart?: M;
  /** An empty body, and one without media type, is accepted: empty means {}. */
  lenientBody?: boolean;
  /** Default 100 KiB. */
  bodyLimitBytes?: number;
  /** Honours Idempotency-Key. */
  idempotent?: boolean;
  /** The body or the answer holds a secret: what is kept for replays is of use under the caller's own key only. */
  secretAnswer?: boolean;
  /** Which allowance of its tenant it uses. Default: `costly` for what asks a provider, else `read` for GET, else `write`. */
  rateClass?: RateClass;
  /**
   * What many requests of a tenant do with one connection. `group`: without an Idempotency-Key they are carried out together;
   * `read`: they read what is brief, and the handler runs once more, with a connection, where that is not all.
   */
  sharesConnection?: 'group' | 'read';
  /** It asks the provider of open finance, whose failures are answers too. */
  callsProvider?: boolean;
  /** Its handler waits for others than the database, and so runs outside of the turns of its tenant: it reads within `withPermit`, or what is brief. */
  runsWithoutPermit?: boolean;
  /** The answers of success; those of failure are added for all routes. */
  responses: Readonly<Record<number, ResponseDefinition>>;
  /**
   * What the handler needs from elsewhere: runs before it, outside of any transaction, so that nobody holds a connection
   * meanwhile. It also runs for a replay, and so says what it found rather than throw.
   */
  prepare?: (context: Pick<Context<A, P, Q, B, W, M>, 'body' | 'deps'>) => Promise<R>;
  handler: (context: Context<A, P, Q, B, W, M, R>) => Promise<Reply> | Reply;
}

/** A route whose types have served their purpose. */
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
 * Declares one operation: what it takes, who may call it, what it answers. The same schemas give the handler's types,
 * the validation and the OpenAPI document.
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
