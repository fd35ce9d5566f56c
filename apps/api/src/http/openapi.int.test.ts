import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi } from '../../testing';
import { wrongExamples } from '../../testing/conformance';
import { eachSchema, type SchemaNode } from '../../testing/each-schema';
import { openApiPath, type OpenApiDocument } from './openapi';

let api: TestApi;
let document: OpenApiDocument;

beforeAll(async () => {
  api = await startTestApi();
  const { body } = await api.request.get('/openapi.json').expect(200);
  document = body as OpenApiDocument;
});

afterAll(() => api.close());

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Lists every operation that Express serves. */
function servedOperations(): string[] {
  const { stack } = api.app.express.router as unknown as { stack: Layer[] };
  return stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => `${method} ${openApiPath(route.path)}`) : [],
  );
}

const documentedOperations = (): string[] =>
  Object.entries(document.paths).flatMap(([at, methods]) => Object.keys(methods).map((method) => `${method} ${at}`));

test('every operation that is served is in the document, and the other way round', () => {
  expect(servedOperations().length).toBeGreaterThan(20);
  expect(servedOperations().sort()).toEqual(documentedOperations().sort());
});

test('operation ids are unique', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('the document obeys the rules of OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
  const directory = mkdtempSync(path.join(tmpdir(), 'tieout-openapi-'));
  try {
    const file = path.join(directory, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    // The validator is an ES module, which Jest does not load.
    const validator = path.join(
      path.dirname(require.resolve('@seriousme/openapi-schema-validator')),
      'bin/validate-api-cli.js',
    );
    const output = execFileSync(process.execPath, [validator, file], { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({ valid: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Operations that grant access, and are called without one. */
const givingAccess = ['signIn', 'signInByProvider', 'acceptInvitation'];

test('every operation on data names the security scheme and the failures that it can have', () => {
  expect(document.components['securitySchemes']).toMatchObject({
    ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  });
  for (const [at, methods] of Object.entries(document.paths)) {
    if (!at.startsWith('/v1/')) continue;
    for (const operation of Object.values(methods)) {
      // This operation lists the ways to sign in, and is public.
      if (operation.operationId === 'listSignInMethods') continue;
      if (!givingAccess.includes(operation.operationId))
        expect(operation['security']).toContainEqual({ ApiKeyAuth: expect.any(Array) as unknown });
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '500', '503']));
    }
  }
});

test.each([
  ['/v1/reconciliations/{id}/periods/{period}', 'period', ['2026-03', '1999-12'], ['2026-13', '2026-3', 'last']],
  ['/v1/reconciliations/{id}/periods/{period}/close', 'period', ['2026-03'], ['2026-13']],
  ['/v1/reason-codes/{code}', 'code', ['damaged', 'x9_'], ['Damaged', '9x', '']],
])('%s describes %s by its own form', (at, name, good, bad) => {
  const [operation] = Object.values(document.paths[at] ?? {});
  const parameters = (operation?.['parameters'] ?? []) as { name: string; schema: { pattern: string } }[];
  const { pattern = '', ...schema } = parameters.find((one) => one.name === name)?.schema ?? {};
  expect(schema).toEqual({ type: 'string' });
  const fits = (text: string): boolean => new RegExp(pattern, 'u').test(text);
  expect([...good, ...bad].filter(fits)).toEqual(good);
});

test('a path parameter that names a resource is a UUID', () => {
  const others = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      (parameters as { name: string; in: string; schema: { format?: string } }[])
        .filter((one) => one.in === 'path' && one.schema.format !== 'uuid')
        .map(({ name }) => ({ at, name })),
    ),
  );
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(['period', 'code']));
});

test('every reference leads somewhere', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, at]) => at as string);
  expect(refs.length).toBeGreaterThan(50);
  for (const ref of new Set(refs)) {
    const target = ref
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    expect({ ref, found: target !== undefined }).toEqual({ ref, found: true });
  }
});

describe('generators of clients', () => {
  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const contents = (of: unknown): [string, { schema?: SchemaNode }][] =>
    Object.entries((of as { content?: Record<string, { schema?: SchemaNode }> }).content ?? {});

  test('find an id in each operation that reads as a method', () => {
    expect(operations().filter(({ operationId }) => !/^[a-z]+([A-Z][a-z]+)*$/.test(operationId))).toEqual([]);
  });

  test('find a name for each object with properties, and for each choice of several names', () => {
    const unnamed: string[] = [];
    eachSchema(document, ({ properties, anyOf = [] }, at) => {
      const names = anyOf.filter(({ $ref }) => $ref !== undefined);
      const isNamed = /^components\/schemas\/\w+$/.test(at);
      if (!isNamed && (properties !== undefined || names.length > 1)) unnamed.push(at);
    });
    expect(unnamed).toEqual([]);
    expect(document.components.schemas['UploadFileRequest']).toMatchObject({ required: ['file'] });
  });

  test('find names that are words, and no two that differ in case only', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('find no boolean that is a constant, and no pattern that only some languages read', () => {
    const text = JSON.stringify(document);
    expect(text.match(/"const":(?:true|false)/g)).toBeNull();
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, json]) => JSON.parse(json ?? '') as string,
    );
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[pP]\{|\(\?[<>!]/.test(pattern))).toEqual([]);
  });

  // Without a format, generators for Go take numbers of 32 bits, which hold 7 digits; those for Java and C# integers.
  test('find how many bits each number has', () => {
    const found: string[] = [];
    eachSchema(document, ({ type, format, maximum = Infinity }, at) => {
      const [one, other] = [type].flat().filter((name) => name !== 'null');
      const isNumber = other === undefined && (one === 'number' || one === 'integer');
      const right = one === 'number' ? 'double' : maximum < 2 ** 31 ? 'int32' : 'int64';
      if (isNumber && format !== right) found.push(at);
    });
    expect(found).toEqual([]);
  });

  test('find a type for each failure', () => {
    const { responses } = document.components as unknown as { responses: Record<string, unknown> };
    const untyped = operations().flatMap(({ operationId, responses: own }) =>
      Object.entries(own).flatMap(([status, answer]) => {
        if (Number(status) < 400 || operationId === 'getReadiness') return [];
        const name = '$ref' in answer ? answer.$ref.split('/').at(-1) : undefined;
        const [content] = contents(name === undefined ? answer : responses[name]);
        const isError = JSON.stringify(content?.[1].schema) === '{"$ref":"#/components/schemas/Error"}';
        return isError ? [] : [`${operationId} ${status}`];
      }),
    );
    expect(untyped).toEqual([]);
  });

  test('find examples that are as their schemas say', () => {
    expect(JSON.stringify(document).match(/"examples":/g)?.length).toBeGreaterThan(10);
    expect(wrongExamples(document)).toEqual([]);
  });

  test('find a name for each choice: amounts, and few others', () => {
    const unnamed: string[] = [];
    const named: string[] = [];
    const isNull = (one: string | SchemaNode): boolean => one === 'null' || (one as SchemaNode).type === 'null';
    eachSchema(document, ({ anyOf, oneOf, type }, at) => {
      const lists = [anyOf, oneOf, type].filter(Array.isArray) as (string | SchemaNode)[][];
      if (lists.every((list) => list.filter((one) => !isNull(one)).length < 2)) return;
      const [, name] = /^components\/schemas\/(\w+)$/.exec(at) ?? [];
      if (name === undefined) unnamed.push(at);
      else named.push(name);
    });
    expect(unnamed).toEqual([]);
    expect(named.sort()).toEqual(knownChoices);
  });
});

const knownChoices = [
  'Amount',
  'FilterValue',
  'GroupedRecord',
  'StartMatchingJobAnswer',
  'SuggestionAnswer',
  'TruePairs',
];

test('no body requires a key that has a default', () => {
  const found: string[] = [];
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { required = [], properties = {} } = node as SchemaNode;
    if (Array.isArray(required))
      for (const name of required) if (properties[name]?.default !== undefined) found.push(`${at}/${name}`);
    for (const [key, child] of Object.entries(node)) visit(child, `${at}/${key}`);
  };
  for (const [at, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) visit(operation['requestBody'], `${method} ${at}`);
  visit(document.components.schemas, 'schemas');
  expect(found).toEqual([]);
  expect(document.components.schemas['CreateApiKeyRequest']).toMatchObject({
    required: ['label'],
    properties: { label: { maxLength: 200 }, scopes: { default: [] } },
  });
});

test('every operation on data names the scopes that it needs, and records:read where it shows records', () => {
  const scopesOf = (scheme: string, at: string, method = 'get'): unknown =>
    (document.paths[at]?.[method]?.['security'] as Record<string, unknown>[]).flatMap((one) => one[scheme] ?? []);
  for (const scheme of ['ApiKeyAuth', 'SessionAuth']) {
    expect(scopesOf(scheme, '/v1/datasets')).toEqual(['datasets:read']);
    expect(scopesOf(scheme, '/v1/datasets/{id}/sample')).toEqual(['datasets:read', 'records:read']);
    expect(scopesOf(scheme, '/v1/records')).toEqual(['records:read']);
    expect(scopesOf(scheme, '/v1/matches')).toEqual(['matches:read', 'records:read', 'matches:read']);
    expect(scopesOf(scheme, '/v1/rule-sets/preview', 'post')).toEqual([
      'rule-sets:read',
      'records:read',
      'rule-sets:read',
    ]);
  }
  expect(document.paths['/v1/tenants']?.['get']?.['security']).toEqual([{ ApiKeyAuth: [] }]);
});

test('a list that a cursor continues names it in the casing of its resource', () => {
  const lists = Object.entries(document.paths).flatMap(([at, { get }]) => {
    const parameters = (get?.['parameters'] ?? []) as { name: string }[];
    return parameters.some(({ name }) => name === 'cursor') ? [{ at, get }] : [];
  });
  const schemas = document.components.schemas as Record<string, SchemaNode>;
  const withReferences = (schema: unknown): string =>
    JSON.stringify(schema).replace(/"\$ref":"#\/components\/schemas\/(\w+)"/g, (_, name: string) =>
      withReferences(schemas[name]),
    );
  const wrong = lists.filter(({ get }) => {
    const { content } = get?.responses['200'] as unknown as { content: Record<string, { schema: { $ref: string } }> };
    const { properties = {} } = schemas[content['application/json']?.schema.$ref.split('/').at(-1) ?? ''] as SchemaNode;
    const item = (properties['items'] as { items: { $ref: string } }).items.$ref.split('/').at(-1) as string;
    const isSnake = /"[a-z]+_[a-z_]+":/.test(withReferences(schemas[item]));
    const cursors = Object.keys(properties).filter((name) => /cursor/i.test(name));
    return cursors.join() !== (isSnake ? 'next_cursor' : 'nextCursor');
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
  expect(lists.length).toBeGreaterThan(3);
});
