import { startHttpServer, type TestHttpServer } from '@tieout/testing';
import { createSandboxServer } from './server';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer(createSandboxServer({ credential: 'secret' }));
});
afterAll(() => server.stop());

const call = (path: string, { credential = 'secret', ...request }: RequestInit & { credential?: string } = {}) =>
  fetch(`${server.origin}${path}`, { ...request, headers: { authorization: `Bearer ${credential}` } });

test('creating an item answers 201, and its accounts come page by page', async () => {
  const made = await call('/items', {
    method: 'POST',
    body: JSON.stringify({ connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } }),
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const pages = await Promise.all(
    [1, 2, 3].map(
      async (page) =>
        (await call(`/items/${id}/accounts?limit=2&page=${page}`)).json() as Promise<{
          results: unknown[];
          total: number;
        }>,
    ),
  );
  expect(pages.map(({ results, total }) => [results.length, total])).toEqual([
    [2, 3],
    [1, 3],
    [0, 3],
  ]);
});

test.each<[string, string, RequestInit & { credential?: string }, number]>([
  ['another credential', '/connectors', { credential: 'other' }, 401],
  ['another path', '/nothing', {}, 404],
  ['another method', '/connectors', { method: 'PUT' }, 404],
  ['a path that cannot be decoded', '/items/%ff', {}, 404],
  ['an item that does not exist', '/items/nobody', {}, 404],
  ['no JSON', '/items', { method: 'POST', body: '{' }, 400],
  ['JSON that is not an object', '/items', { method: 'POST', body: '[]' }, 400],
  [
    'parameters that are not texts',
    '/items',
    { method: 'POST', body: '{"connectorId":"sandbox","parameters":{"user":1}}' },
    400,
  ],
  ['a parameter that is missing', '/items', { method: 'POST', body: '{"connectorId":"sandbox"}' }, 400],
  ['a body of a megabyte', '/items', { method: 'POST', body: ' '.repeat(1_000_000) }, 400],
])('%s is refused', async (_title, path, request, status) => {
  expect((await call(path, request)).status).toBe(status);
});

test('deleting an item answers 204', async () => {
  expect((await call('/items/any', { method: 'DELETE' })).status).toBe(204);
});
