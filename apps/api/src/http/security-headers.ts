import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The documentation page loads from this service alone. Swagger UI sets inline styles, never inline scripts. */
const handler = helmet({
  frameguard: { action: 'deny' },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
    },
  },
});

/** Computed once, because all answers have the same ones. No cache may store the data of tenants, errors included. */
const headers = [...headersSetBy(handler), ['Cache-Control', 'no-store']] as const;

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}

function headersSetBy(set: typeof handler): [name: string, value: string][] {
  const found: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => void found.push([name, value]),
    removeHeader: () => undefined,
  };
  set({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return found;
}
