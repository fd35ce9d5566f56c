import type { OpenApiDocument } from '../../src/http/openapi';
import type { Json } from '../../src/http/openapi-errors';

/**
 * An operation of the OpenAPI document and the places of its request that hold an id: `path/id`, `query/itemId`,
 * `body/ruleSetIds`.
 */
export interface IdOperation {
  operationId: string;
  method: string;
  path: string;
  slots: readonly string[];
}

interface Schema {
  $ref?: string;
  format?: string;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

const idName = /^id$|Ids?$|_ids?$/;

/** Names like ids that name nothing in the service. */
const namesElsewhere = [
  'externalId', // how the tenant calls a record
  'clientUserId', // how the tenant calls a user
  'connectorId', // an institution, the same for all tenants
  'matchers/0/id', // a matcher inside of its rule set
  'period', // a month
  'requestId', // what the sender calls a request
];

/**
 * Operations of tenants with at least one id in their requests. Those of the platform key alone belong to no tenant.
 */
export function operationsWithIds(document: OpenApiDocument): IdOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const parameters = (operation['parameters'] ?? []) as unknown as Parameter[];
      if (!parameters.some(({ name }) => name === 'x-tenant-id')) return [];
      const slots = new Set<string>();
      for (const { name, in: where, schema } of parameters) {
        if (where === 'path' || (where === 'query' && isId(name, resolve(document, schema), document)))
          slots.add(`${where}/${name}`);
      }
      const { content = {} } = (operation['requestBody'] ?? {}) as unknown as {
        content?: Record<string, { schema?: Schema }>;
      };
      for (const { schema } of Object.values(content)) if (schema) collect(schema, 'body', document, slots);
      const named = [...slots].filter((slot) => !namesElsewhere.some((name) => slot.endsWith(`/${name}`)));
      return named.length > 0 ? [{ operationId: operation.operationId, method, path, slots: named }] : [];
    }),
  );
}

function collect(schema: Schema, at: string, document: OpenApiDocument, slots: Set<string>): void {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolve(document, schema);
  for (const one of [...anyOf, ...oneOf, ...allOf]) collect(one, at, document, slots);
  if (items) collect(items, `${at}/0`, document, slots);
  for (const [name, property] of Object.entries(properties)) {
    if (isId(name, resolve(document, property), document)) slots.add(`${at}/${name}`);
    else collect(property, `${at}/${name}`, document, slots);
  }
}

const isId = (name: string, schema: Schema, document: OpenApiDocument): boolean =>
  idName.test(name) ||
  schema.format === 'uuid' ||
  (schema.items !== undefined && resolve(document, schema.items).format === 'uuid');

function resolve(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const steps = schema.$ref.slice(2).split('/');
  return resolve(
    document,
    steps.reduce<Json>(
      (node, step) => (node as { [key: string]: Json })[step] as Json,
      document as unknown as Json,
    ) as Schema,
  );
}
