import { startTestApi, type TestApi } from '../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

test('the page needs nothing but files of this service, and no inline script', async () => {
  const page = await api.request.get('/docs').expect(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/https?:\/\//);
  expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page.text).not.toMatch(/\son\w+=/);
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, at]) => at as string);
  expect(files).toEqual(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js']);
  for (const file of files) {
    const { headers, status } = await api.request.get(file);
    expect([status, headers['content-type']]).toEqual([
      200,
      file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    ]);
  }
});

test('its policy lets scripts come from this service alone', async () => {
  const { headers } = await api.request.get('/docs').expect(200);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
});

test('it shows the OpenAPI document and asks no outside validator', async () => {
  const { text } = await api.request.get('/docs/start.js').expect(200);
  expect(text).toContain("url: '/openapi.json'");
  expect(text).toContain('validatorUrl: null');
});
