import type { Request, Response } from 'express';
import type { TObject, TSchema } from '@sinclair/typebox';
import { briefScope, tenantScope, type Authenticator, type RunWithPermit } from '@tieout/domain';
import {
  AppError,
  createSchemaCompiler,
  extendContext,
  invalid,
  NotShortReadError,
  pointerTo,
  type CompileSchema,
  type FieldError,
  type Parser,
} from '@tieout/infra';
import { authorize, identify } from './authenticate';
import {
  defaultBodyLimitBytes,
  type Context,
  type MultipartBody,
  type PathParams,
  type RawBody,
  type ReceivedFile,
  type Route,
} from './define-route';
import type { ApiDeps } from './deps';
import { createGate, type Gate, type GateOptions, type Lane, type Place } from './gate';
import { fingerprint, readIdempotencyKey, replyOnce } from './idempotency';
import type { Access, Principal } from './access';
import { operator, rateClassOf, type RequestLimits } from './limits';
import type { Chunk, Reply, StreamReply } from './reply';
import { withFile } from './multipart';
import { noBody, readBody, readJson, RequestAborted, requireMediaType, type ArrivedBody } from './request-body';
import { queryReader } from './request-query';
import { readResourceId } from './resources';
import { bodyOf } from './respond';

type AnyContext = Context<
  Access,
  PathParams,
  TObject,
  TSchema,
  RawBody | undefined,
  MultipartBody | undefined,
  unknown
>;

/** Turns a declared route into a function from request to answer; its schemas are compiled once. */
export type RouteHandler = (request: Request, requestId: string) => Promise<Reply>;

export interface RouteHandlersOptions {
  deps: ApiDeps;
  authenticator: Authenticator;
  limits: RequestLimits;
  /** Requests of one tenant that are worked on at a time. */
  atOncePerTenant: number;
  /** A body above 64 KiB that takes so long to arrive is refused where others have waited for it as long. */
  patienceMs: number;
}

/** Makes the handlers of all routes; one compiler for each kind of input serves them all. */
export function createRouteHandlers({
  deps,
  authenticator,
  limits,
  atOncePerTenant,
  patienceMs,
}: RouteHandlersOptions): (route: Route) => RouteHandler {
  const compileBody = createSchemaCompiler();
  const compileQuery = createSchemaCompiler({ coerce: true });
  const ordinary = createBodyGates({ largeBytes: largeBodiesBytes, parsedBytes, partOfOwner: 1 / 2, patienceMs });
  // What waits elsewhere holds its body for seconds, while it is evaluated: only its own kind waits for that.
  const elsewhere = createBodyGates({
    largeBytes: largeBodiesBytes / 2,
    parsedBytes: parsedBytes / 2,
    partOfOwner: 3 / 8,
    patienceMs,
    mostPasses: 8,
  });
  const rows = createGate({ capacity: rowsAtOnce });
  const turns = createGate({ capacity: Infinity, perOwner: atOncePerTenant, mostWaiting });
  const shared = createGate({ capacity: Infinity, perOwner: atOncePerTenant * sharedPlaces, mostWaiting });
  const reads = { name: 'reads', capacity: atOncePerTenant + 1 };
  const streams = createGate({ capacity: Infinity, perOwner: streamsPerTenant, mostWaiting });
  return (route) =>
    createRouteHandler(route, {
      deps,
      authenticator,
      limits,
      bodies: route.waitsElsewhere ? elsewhere : ordinary,
      rows,
      turns,
      shared,
      reads,
      streams,
      readQuery: createQueryParser(route.query, compileQuery),
      parseBody: route.body && createBodyParser(route.body, route.multipart ? compileQuery : compileBody),
    });
}

/** What bodies wait for, that others leave the memory that they take. */
interface BodyGates {
  arriving: Gate;
  largeArriving: Gate;
  largeBodies: Gate;
  parsed: Gate;
}

interface BodyGatesOptions extends Required<Pick<GateOptions, 'patienceMs'>>, Pick<GateOptions, 'mostPasses'> {
  largeBytes: number;
  parsedBytes: number;
  /** Of what arrives, and of what is parsed, that one owner may have. With less than half, two leave something to a third. */
  partOfOwner: number;
}

function createBodyGates({
  largeBytes,
  parsedBytes: capacity,
  partOfOwner,
  patienceMs,
  mostPasses = 0,
}: BodyGatesOptions): BodyGates {
  const arriving = { capacity: 2 * largeBytes, perOwner: 2 * largeBytes * partOfOwner, patienceMs, mostPasses };
  return {
    arriving: createGate({ ...arriving, mostWaiting }),
    largeArriving: createGate(arriving),
    largeBodies: createGate({ capacity: largeBytes, mostPasses }),
    parsed: createGate({ capacity, perOwner: capacity * partOfOwner, mostWaiting, mostPasses }),
  };
}

/** Bytes of large bodies that are worked on at a time: each takes some times its size in memory. Twice as many may arrive. */
const largeBodiesBytes = 33 * 1024 * 1024;
/** Memory of parsed JSON that is worked on at a time. */
const parsedBytes = 64 * 1024 * 1024;
/** What takes no more than this waits for nobody. */
const smallMemoryBytes = 64 * 1024;
/** Rows that are worked on at a time: a tiny one takes forty times its text. */
const rowsAtOnce = 200_000;
/** A body that may be larger than this waits for its turn before it is read, behind others of its kind. */
const smallBodyBytes = 64 * 1024;
const largeBodyBytes = 1024 * 1024;
/** Places of those that hold no connection, for each request that may hold one. What is stored in a group takes one of them. */
const sharedPlaces = 32;
/** What a brief read takes for each so many rows: they are answered in the order in which they come, those of others behind these. */
const placesOfRead = { places: 8, rows: 25 };
/**
 * Answers to one tenant that are produced while they are taken. Between two parts each keeps ids of records or compact rows; a part waits
 * for its reader outside of the heap, where `createUntaken` bounds all of them. In the heap are the parts that are being made: of reads no
 * more than `reads` lets in, of all no more than there are connections, ten of some 4 MiB (two bytes a character, as rows and as text).
 */
const streamsPerTenant = 16;
/** Requests of a tenant that wait for others of its own. */
const mostWaiting = 1_000;

interface HandlerParts {
  deps: ApiDeps;
  authenticator: Authenticator;
  limits: RequestLimits;
  bodies: BodyGates;
  rows: Gate;
  /** Keeps a tenant from the connections to the database that others need. */
  turns: Gate;
  /** Keeps what a tenant does over connections that it does not hold from taking up all the time of others. */
  shared: Gate;
  /** Reads of all tenants that may hold a connection, in turn: who comes waits for one of them, not for all that came before. */
  reads: Lane;
  streams: Gate;
  readQuery: (search: string) => Read;
  parseBody: ((body: unknown) => Read) | undefined;
}

function createRouteHandler(route: Route, parts: HandlerParts): RouteHandler {
  const { deps, bodies, rows, turns, shared, reads, streams, readQuery, parseBody } = parts;
  const limitBytes = route.bodyLimitBytes ?? defaultBodyLimitBytes;

  const handle = async (request: Request, requestId: string, principal: Principal): Promise<Reply> => {
    const { headers } = request;
    const params = readParams(route, request);
    const owner = ownerOf(principal);
    const search = searchOf(request.url);
    const query = readQuery(search);
    const idempotency = route.idempotent ? readIdempotencyKey(request) : {};
    const faults = [...query.errors, ...(idempotency.fault ? [idempotency.fault] : [])];
    const carryOut = (rawBody: unknown, file?: ReceivedFile): Promise<Reply> => {
      // Before the schema fills in defaults: the digest is of what was sent.
      const sent = file ? { fields: rawBody, name: file.name, sha256: file.stored.sha256.toString('hex') } : rawBody;
      const digest =
        idempotency.key === undefined ? undefined : fingerprint(request.method, request.path, search, sent);
      const body = parseBody ? parseBody(rawBody) : { value: rawBody, errors: [] };
      const errors = [...faults, ...body.errors];
      if (errors.length > 0) throw invalid(errors);

      const wanted: RunWithPermit = (task) => (isWanted(request) ? task() : Promise.reject(new RequestAborted()));
      const lane = route.method === 'get' ? reads : undefined;
      const among =
        (places: number): RunWithPermit =>
        (task) =>
          shared(owner, places, () => wanted(task));
      const isGrouped = route.sharesConnection === 'group' && idempotency.key === undefined;
      const withPermit: RunWithPermit = isGrouped ? among(1) : (task) => turns(owner, 1, () => wanted(task), lane);
      const briefly = route.sharesConnection === 'read' ? among(placesOf(query.value)) : undefined;
      const context = {
        principal,
        params,
        query: query.value,
        body: body.value,
        file,
        headers,
        withPermit,
        deps,
        requestId,
      } as Omit<AnyContext, 'scope' | 'system' | 'prepared'>;
      const once = (handler: () => Promise<Reply> | Reply, tx: Parameters<typeof replyOnce>[0]): Promise<Reply> =>
        replyOnce(
          tx,
          {
            tenantId: principal.kind === 'tenant' ? principal.tenantId : undefined,
            operationId: route.operationId,
            key: idempotency.key as string,
            fingerprint: digest as string,
            credential: route.secretAnswer ? String(headers['x-api-key']) : undefined,
            keptDays: deps.settings.idempotencyKeyDays,
          },
          handler,
        );
      const turn = route.waitsElsewhere ? wanted : withPermit;
      const run = (): Promise<Reply> =>
        runHandler(route, {
          principal,
          context,
          once: idempotency.key === undefined ? undefined : once,
          deps,
          turn,
          briefly,
          streams,
        });
      // Before any transaction is begun: who waits holds no connection.
      return route.rawBody?.rowsOf ? rows(owner, route.rawBody.rowsOf(rawBody as Buffer), run) : run();
    };
    if (!route.multipart || principal.kind !== 'tenant') {
      const announced =
        headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limitBytes;
      const bytes = Math.min(announced, limitBytes);
      const work = async ({ memoryBytes, parse }: ArrivedBody): Promise<Reply> =>
        memoryBytes <= smallMemoryBytes
          ? carryOut(parse())
          : bodies.parsed(owner, memoryBytes, () => carryOut(parse()));
      if (bytes <= smallBodyBytes) return work(await readRequestBody(route, request));
      if (bytes <= largeBodyBytes)
        return bodies.arriving(owner, bytes, async (place) => work(await readRequestBody(route, request, place)));
      return bodies.largeArriving(owner, bytes, async (place) => {
        const body = await readRequestBody(route, request, place);
        return bodies.largeBodies(owner, bytes, () => work(body));
      });
    }
    if (faults.length > 0) throw invalid(faults);
    return withFile(
      request,
      { multipart: route.multipart, scope: tenantScope(deps, principal.tenantId), params },
      carryOut,
    );
  };
  return async (request, requestId) => handle(request, requestId, await admit(route, request, parts));
}

const placesOf = (query: unknown): number =>
  placesOfRead.places * Math.ceil(((query as { limit?: number }).limit ?? 1) / placesOfRead.rows);

/** Nobody works for a caller that has gone while its request waited. */
const isWanted = ({ res }: Request): boolean => res?.destroyed !== true;

/** Finds out who asks, charges them, and lets them on. @throws AppError */
async function admit(route: Route, request: Request, { authenticator, limits }: HandlerParts): Promise<Principal> {
  const { access } = route;
  if (access.kind === 'public') return { kind: 'public' };
  const { headers, ip = '' } = request;
  const response = request.res as Response;
  const identity = await identify(authenticator, headers, (lookUp) => limits.lookUp(ip, lookUp)).catch(
    (error: unknown) => {
      throw error instanceof AppError ? limits.refuse(response, ip, error) : error;
    },
  );
  if (identity.kind === 'tenant') extendContext({ apiKeyId: identity.keyId });
  const charge = (owner: string): Promise<void> => {
    // Before it may be refused: the log says who floods.
    if (owner !== operator) extendContext({ tenantId: owner });
    return limits.charge(response, owner, rateClassOf(route));
  };
  return authorize(identity, { authenticator, access, headers, charge });
}

const ownerOf = (principal: Principal): string => (principal.kind === 'tenant' ? principal.tenantId : operator);

/** Written out: what is added to a copy by spreading takes a new shape each time, and that is collected late with all that it holds. */
function wholeContext(
  { principal, params, query, body, file, headers, withPermit, deps, requestId }: Run['context'],
  prepared: unknown,
  { scope, system }: Pick<Partial<AnyContext>, 'scope' | 'system'>,
): AnyContext {
  return { principal, params, query, body, file, headers, withPermit, deps, requestId, prepared, scope, system };
}

type Once = (handler: () => Promise<Reply> | Reply, tx: Parameters<typeof replyOnce>[0]) => Promise<Reply>;

interface Run {
  principal: Principal;
  context: Omit<AnyContext, 'scope' | 'system' | 'prepared'>;
  once: Once | undefined;
  deps: ApiDeps;
  turn: RunWithPermit;
  /** The turn in which it is tried without a connection. */
  briefly: RunWithPermit | undefined;
  streams: Gate;
}

async function runHandler(
  route: Route,
  { principal, context, once, deps, turn, briefly, streams }: Run,
): Promise<Reply> {
  const prepared = await route.prepare?.(context);
  const run = (data: Pick<Partial<AnyContext>, 'scope' | 'system'>): Promise<Reply> | Reply =>
    route.handler(wholeContext(context, prepared, data));
  if (principal.kind === 'tenant') {
    const { tenantId } = principal;
    const wholly = (): Promise<Reply> => {
      const scope = tenantScope(deps, tenantId);
      return turn(async () =>
        once ? scope.transaction((tx) => once(() => run({ scope: tx }), tx.db)) : run({ scope }),
      );
    };
    const produce = async (): Promise<Reply> => {
      if (!briefly) return wholly();
      try {
        return await briefly(async () => run({ scope: briefScope(deps, tenantId) }));
      } catch (error) {
        if (error instanceof NotShortReadError) return wholly();
        throw error;
      }
    };
    const reply = await produce();
    return reply.kind === 'stream'
      ? { ...reply, chunks: amongFew({ reply }, { streams, owner: tenantId, turn, again: produce }) }
      : reply;
  }
  if (principal.kind === 'public') return run({});
  const { system } = deps.db;
  return once ? system.transaction((tx) => once(() => run({ system: tx }), tx)) : run({ system });
}

interface Among {
  streams: Gate;
  owner: string;
  turn: RunWithPermit;
  again: () => Promise<Reply>;
}

/**
 * The chunks of an answer, from when its owner has fewer of this kind under way. Who waits holds none of them: the answer is
 * made anew then.
 */
async function* amongFew(atHand: AtHand, { streams, owner, turn, again }: Among): AsyncGenerator<Chunk, void, void> {
  let leave = (): void => undefined;
  const over = new Promise<void>((resolve) => (leave = resolve));
  let isIn = false as boolean;
  const entered = new Promise<void>((enter, refuse) => {
    const stay = (): Promise<void> => {
      isIn = true;
      enter();
      return over;
    };
    streams(owner, 1, stay).catch(refuse);
  });
  try {
    if (!isIn) await Promise.all([entered, letGo(atHand)]);
    const reply = atHand.reply ?? (await again());
    if (reply.kind === 'stream') yield* chunksWithPermit(reply.chunks, turn);
    else yield bodyOf(reply)?.toString() ?? '';
  } finally {
    leave();
  }
}

/** What is at hand is known here alone, for a generator that waits keeps what it has ever looked at. */
interface AtHand {
  reply?: StreamReply | undefined;
}

async function letGo(atHand: AtHand): Promise<void> {
  const iterator = atHand.reply?.chunks[Symbol.asyncIterator]();
  atHand.reply = undefined;
  await iterator?.return?.();
}

/** The same chunks, each of which is made in a turn of its own: a slow reader takes none meanwhile. */
async function* chunksWithPermit(chunks: AsyncIterable<Chunk>, turn: RunWithPermit): AsyncGenerator<Chunk, void, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await turn(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
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

async function readRequestBody(route: Route, request: Request, place?: Place): Promise<ArrivedBody> {
  const limits = { limitBytes: route.bodyLimitBytes ?? defaultBodyLimitBytes, place };
  if (route.rawBody) {
    requireMediaType(request, route.rawBody.contentTypes);
    const bytes = await readBody(request, limits);
    return { memoryBytes: 0, parse: () => bytes };
  }
  if (route.body) return readJson(request, { lenient: route.lenientBody === true, ...limits });
  return { memoryBytes: 0, parse: () => undefined };
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
    if (body === noBody)
      return { value: undefined, errors: [{ path: '', code: 'required', message: 'A JSON body is required' }] };
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
