import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestApi, type TestApi } from '../../testing';
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

/** Everything that Express serves. */
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

test('every operation on data names the security scheme and the failures that it can have', () => {
  expect(document.components['securitySchemes']).toMatchObject({
    ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  });
  for (const [at, methods] of Object.entries(document.paths)) {
    if (!at.startsWith('/v1/')) continue;
    for (const operation of Object.values(methods)) {
      expect(operation['security']).toContainEqual({ ApiKeyAuth: expect.any(Array) as unknown });
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '500', '503']));
    }
  }
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
