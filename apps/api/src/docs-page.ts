import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tieout API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// Without this the page would load a badge from an outside validator.
const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

const types = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Serves a page that shows the OpenAPI document, from files of the package swagger-ui-dist alone. */
export function docsPage(): Router {
  const assets = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const asset = (name: string): Buffer => readFileSync(path.join(assets, name));
  const files: Record<string, { type: string; content: string | Buffer }> = {
    '/docs': { type: types.html, content: page },
    '/docs/start.js': { type: types.js, content: start },
    '/docs/swagger-ui.css': { type: types.css, content: asset('swagger-ui.css') },
    '/docs/swagger-ui-bundle.js': { type: types.js, content: asset('swagger-ui-bundle.js') },
  };
  const router = Router({ strict: true, caseSensitive: true });
  for (const [at, { type, content }] of Object.entries(files)) {
    router.get(at, (_request, response) => {
      response.setHeader('Content-Type', type);
      response.setHeader('Cache-Control', 'public, max-age=3600');
      response.setHeader('Content-Length', Buffer.byteLength(content));
      response.end(content);
    });
  }
  return router;
}
