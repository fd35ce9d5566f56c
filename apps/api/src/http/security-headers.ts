import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Everything that a page of ours needs comes from ourselves. Swagger UI sets inline styles, never inline scripts. */
const setSecurityHeaders = helmet({
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

/** They are the same for every answer, and are found once. Data of tenants is kept by nobody on the way, errors included. */
const headers = [...headersSetBy(setSecurityHeaders), ['Cache-Control', 'no-store']] as const;

export const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of headers) response.setHeader(name, value);
  next();
};

function headersSetBy(handler: typeof setSecurityHeaders): [name: string, value: string][] {
  const found: [string, string][] = [];
  const response = { setHeader: (name: string, value: string) => void found.push([name, value]), removeHeader: () => undefined };
  handler({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return found;
}
