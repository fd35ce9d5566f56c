import type { Request, Response } from 'express';
import type { TSchema } from '@sinclair/typebox';
import { parseClientAddress, parseKey } from '@tieout/domain';
import { currentContext, extendContext, isUuid, type Logger } from '@tieout/infra';
import type { Route } from './define-route';
import type { Reply } from './reply';

/** Matches the names of ids that tenants choose: the log must not hold these. */
const ofTenants = /^(external|clientUser)Id$/;
const named = /(^i|I)ds?$|^replaces$/;
/** A request may name a hundred rule sets. */
const maxIds = 20;

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};

const idNames = (schema: TSchema | undefined): string[] =>
  Object.keys(propertiesOf(schema)).filter((name) => named.test(name) && !ofTenants.test(name));

const uuidsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && isUuid(one));

type Values = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Holds what a body names until the request is logged. */
interface NamedByBody {
  ids: string[];
  /** Names of the conditions of its filter, without the values, which may come from records. */
  filter?: string[];
}
const namedByBody = Symbol('what the body names');
type Noted = Record<symbol, NamedByBody | undefined>;

/** Makes the function that notes the ids in a parsed body of a route, those in its filter included. */
export function idRecorder({ body: schema }: Route): (body: unknown, response: Response) => void {
  const names = idNames(schema);
  const filterSchema = propertiesOf(schema)['filter'];
  const filterNames = idNames(filterSchema);
  return (body, { locals }) => {
    if (!isObject(body) || (names.length === 0 && !filterSchema)) return;
    const noted: NamedByBody = { ids: names.flatMap((name) => uuidsOf(body[name])) };
    const { filter } = body;
    if (filterSchema && isObject(filter)) {
      noted.filter = Object.keys(filter);
      noted.ids.push(...filterNames.flatMap((name) => uuidsOf(filter[name])));
    }
    (locals as Noted)[namedByBody] = noted;
  };
}

/** Notes the public part of a well-formed key, even a refused one: the log says who still sends it. */
export function noteKey(key: unknown): void {
  const keyId = typeof key === 'string' ? parseKey(key)?.keyId : undefined;
  if (keyId !== undefined) extendContext({ apiKeyId: keyId });
}

/** Returns ids of the object or group of jobs that an answer has created or shows. */
function idsOfReply(reply: Reply | undefined): string[] {
  if (reply?.kind !== 'json' || reply.status >= 300) return [];
  const body = reply.body as { id?: unknown; data?: { id?: unknown }; job_group_id?: unknown } | null | undefined;
  return [
    ...uuidsOf(body?.id),
    ...uuidsOf(body?.data?.id),
    ...(body?.id === undefined ? uuidsOf(body?.job_group_id) : []),
  ];
}

function idsOfQuery(names: readonly string[], url: string): string[] {
  const at = url.indexOf('?');
  if (at < 0 || names.length === 0) return [];
  const search = new URLSearchParams(url.slice(at));
  return names.flatMap((name) => uuidsOf(search.getAll(name)));
}

interface Answered {
  status: number;
  durationMs: number;
  reply: Reply | undefined;
}

/**
 * Makes the function that logs the answered requests of a route: who called it on which objects, from where. A line
 * names objects by id alone, and holds no secret and no values of records. Probes and floods without valid keys are
 * logged at debug level only: they would fill the log and say nothing.
 */
export function createRequestLog(logger: Logger, route: Route | null): (request: Request, answered: Answered) => void {
  const names = idNames(route?.query);
  return (request, { status, durationMs, reply }) => {
    const { locals } = request.res as Response;
    const level = route?.tag === 'Service' || locals['quiet'] === true ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const body = (locals as Noted)[namedByBody];
    const { datasetId } = currentContext();
    const ids = new Set([
      ...Object.values(request.params).flatMap(uuidsOf),
      ...idsOfQuery(names, request.url),
      ...(body?.ids ?? []),
      ...idsOfReply(reply),
      // The request gives only the name of the dataset.
      ...uuidsOf(datasetId),
    ]);
    logger[level](
      {
        method: request.method,
        route: route?.path ?? null,
        status,
        durationMs,
        operation: route?.operationId ?? null,
        address: parseClientAddress(request.ip ?? ''),
        ...(ids.size > 0 ? { ids: [...ids].slice(0, maxIds) } : {}),
        ...(body?.filter ? { filter: body.filter } : {}),
      },
      'request',
    );
  };
}
