import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { featureRoutes } from '.';
import { serviceRoutes } from './service/routes';

/** The integration tests of the API, as text. */
function testSources(): string {
  const root = path.join(__dirname, '..');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.int.test.ts'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
}

/** Finds `.get('/v1/things/${id}?x=1'` for a route /v1/things/:id. */
function callOf(method: string, at: string): RegExp {
  const steps = at.split('/').map((step) => (step.startsWith(':') ? '\\$\\{[^}]+\\}' : step.replace(/[.]/g, '\\.')));
  return new RegExp(`\\.${method}\\(\\s*['"\`]${steps.join('/')}['"\`?$]`);
}

test('every operation is called by an integration test', () => {
  const sources = testSources();
  const untested = [...featureRoutes, ...serviceRoutes(featureRoutes)]
    .filter((route) => !callOf(route.method, route.path).test(sources))
    .map((route) => route.operationId);
  expect(untested).toEqual([]);
});
