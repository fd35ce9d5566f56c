import type { Request } from 'express';
import type { TObject, TSchema } from '@sinclair/typebox';
import { tenantScope, type Authenticator } from '@tieout/domain';
import { createSchemaCompiler, invalid, pointerTo, withContext, type CompileSchema, type FieldError, type Parser } from '@tieout/infra';
import { authenticate } from './authenticate';
import { defaultBodyLimitBytes, type Context, type MultipartBody, type PathParams, type RawBody, type ReceivedFile, type Route } from './define-route';
import type { ApiDeps } from './deps';
import { createGate, type Gate } from './gate';
import { fingerprint, readIdempotencyKey, replyOnce } from './idempotency';
import type { Access, Principal } from './access';
import type { Reply } from './reply';
import { withFile } from './multipart';
import { noBody, readBody, readJson, requireMediaType } from './request-body';
import { queryReader } from './request-query';
import { readResourceId } from './resources';

type AnyContext = Context<Access, PathParams, TObject, TSchema, RawBody | undefined, MultipartBody | undefined, unknown>;

/** Turns a declared route into a function from request to answer; schemas are compiled here, once. */
export type RouteHandler = (request: Request, requestId: string) => Promise<Reply>;

/** Makes the handlers of all routes; one compiler for each kind of input serves them all. */
export function createRouteHandlers({ deps, authenticator }: { deps: ApiDeps; authenticator: Authenticator }): (route: Route) => RouteHandler {
  const compileBody = createSchemaCompiler();
  const compileQuery = createSchemaCompiler({ coerce: true });
  const largeBodies = createGate(largeBodiesBytes);
  const rows = createGate(rowsAtOnce);
  return (route) =>
    createRouteHandler(route, {
      deps,
      authenticator,
      largeBodies,
      rows,
      readQuery: createQueryParser(route.query, compileQuery),
      parseBody: route.body && createBodyParser(route.body, route.multipart ? compileQuery : compileBody),
    });
}

/** Bytes of large bodies that are read and worked on at a time: each takes some times its size in memory. */
const largeBodiesBytes = 33 * 1024 * 1024;
/** Rows that are worked on at a time: a tiny one takes forty times its text. */
const rowsAtOnce = 200_000;
/** A body that may be larger than this waits for its turn before it is read. */
const largeBodyBytes = 1024 * 1024;

interface HandlerParts {
  deps: ApiDeps;
  authenticator: Authenticator;
  largeBodies: Gate;
  rows: Gate;
  readQuery: (search: string) => Read;
  parseBody: ((body: unknown) => Read) | undefined;
}

function createRouteHandler(route: Route, { deps, authenticator, largeBodies, rows, readQuery, parseBody }: HandlerParts): RouteHandler {
  const handle = async (request: Request, requestId: string, principal: Principal): Promise<Reply> => {
    const { headers } = request;
    const params = readParams(route, request);
    const search = searchOf(request.url);
    const query = readQuery(search);
    const idempotency = route.idempotent ? readIdempotencyKey(request) : {};
    const faults = [...query.errors, ...(idempotency.fault ? [idempotency.fault] : [])];
    const carryOut = (rawBody: unknown, file?: ReceivedFile): Promise<Reply> => {
      // Before the schema fills in defaults: the digest is of what was sent.
      const sent = file ? { fields: rawBody, name: file.name, sha256: file.stored.sha256.toString('hex') } : rawBody;
      const digest = idempotency.key === undefined ? undefined : fingerprint(request.method, request.path, search, sent);
      const body = parseBody ? parseBody(rawBody) : { value: rawBody, errors: [] };
      const errors = [...faults, ...body.errors];
      if (errors.length > 0) throw invalid(errors);

      const context = { principal, params, query: query.value, body: body.value, file, headers, deps, requestId } as Omit<AnyContext, 'scope' | 'system' | 'prepared'>;
      const once = (handler: () => Promise<Reply> | Reply, tx: Parameters<typeof replyOnce>[0]): Promise<Reply> =>
        replyOnce(
          tx,
          {
            tenantId: principal.kind === 'tenant' ? principal.tenantId : undefined,
            operationId: route.operationId,
            key: idempotency.key as string,
            fingerprint: digest as string,
            credential: route.secretAnswer ? String(headers['x-api-key']) : undefined,
          },
          handler,
        );
      const run = (): Promise<Reply> => runHandler(route, principal, context, idempotency.key === undefined ? undefined : once, deps);
      // Before any transaction is begun: who waits holds no connection.
      return route.rawBody?.rowsOf ? rows(route.rawBody.rowsOf(rawBody as Buffer), run) : run();
    };
    if (!route.multipart || principal.kind !== 'tenant') return carryOut(await readRequestBody(route, request));
    if (faults.length > 0) throw invalid(faults);
    return withFile(request, { multipart: route.multipart, scope: tenantScope(deps, principal.tenantId), params }, carryOut);
  };
  const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;
  return async (request, requestId) => {
    const principal = await authenticate(authenticator, route.access, request.headers);
    const announced = request.headers['content-length'];
    const bytes = Math.min(announced === undefined ? limitBytes : Number(announced), limitBytes);
    const run = (): Promise<Reply> => handle(request, requestId, principal);
    // A file is never in memory as a whole.
    return bytes <= largeBodyBytes || route.multipart ? run() : largeBodies(bytes, run);
  };
}

type Once = (handler: () => Promise<Reply> | Reply, tx: Parameters<typeof replyOnce>[0]) => Promise<Reply>;

async function runHandler(
  route: Route,
  principal: Principal,
  context: Omit<AnyContext, 'scope' | 'system' | 'prepared'>,
  once: Once | undefined,
  deps: ApiDeps,
): Promise<Reply> {
  const prepared = await route.prepare?.(context);
  const run = (rest: object): Promise<Reply> | Reply => route.handler({ ...context, prepared, ...rest } as AnyContext);
  if (principal.kind === 'tenant') {
    const scope = tenantScope(deps, principal.tenantId);
    return withContext({ tenantId: principal.tenantId }, async () =>
      once ? scope.transaction((tx) => once(() => run({ scope: tx }), tx.db)) : run({ scope }),
    );
  }
  if (principal.kind === 'public') return run({});
  const { system } = deps.db;
  return once ? system.transaction((tx) => once(() => run({ system: tx }), tx)) : run({ system });
}

/** @throws AppError `<resource>_not_found` for a text that is no UUID, validation_error where it must be of version 7 */
function readParams(route: Route, request: Request): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, resource] of Object.entries(route.params ?? {})) {
    const value = String(request.params[name]);
    if (resource === 'any') params[name] = value;
    else params[name] = readResourceId(resource, name, value);
  }
  return params;
}

function readRequestBody(route: Route, request: Request): Promise<unknown> {
  const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;
  if (route.rawBody) {
    requireMediaType(request, route.rawBody.contentTypes);
    return readBody(request, limitBytes);
  }
  if (route.body) return readJson(request, { limitBytes, lenient: route.lenientBody === true });
  return Promise.resolve(undefined);
}

interface Read {
  value: unknown;
  errors: FieldError[];
}

function createQueryParser(schema: TObject | undefined, compile: CompileSchema): (search: string) => Read {
  const split = queryReader(schema);
  const parse: Parser<unknown> | undefined = schema && compile(plainSchema(schema));
  return (search) => {
    const { values, errors } = split(search);
    if (!parse) {
      const unknown = Object.keys(values).map((name) => ({
        path: `/query${pointerTo(name)}`,
        code: 'unknown_key',
        message: 'is not a known parameter',
      }));
      return { value: {}, errors: [...errors, ...unknown] };
    }
    const parsed = parse(values);
    if (parsed.ok) return { value: parsed.value, errors };
    return { value: undefined, errors: [...errors, ...parsed.errors.map((e) => ({ ...e, path: `/query${e.path}` }))] };
  };
}

function createBodyParser(schema: TSchema, compile: CompileSchema): (body: unknown) => Read {
  const parse: Parser<unknown> = compile(plainSchema(schema));
  return (body) => {
    if (body === noBody) return { value: undefined, errors: [{ path: '', code: 'required', message: 'A JSON body is required' }] };
    const parsed = parse(body);
    return parsed.ok ? { value: parsed.value, errors: [] } : { value: undefined, errors: parsed.errors };
  };
}

/** A schema without names: one that occurs in two routes would otherwise be declared twice. */
function plainSchema<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(plainSchema) as S;
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === '$id' && typeof value === 'string'))
      .map(([key, value]) => [key, plainSchema<unknown>(value)]),
  ) as S;
}

/** The query string of a URL, without its question mark. */
function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
