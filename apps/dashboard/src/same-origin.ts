import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes that a page of another site requests: a browser adds the credentials by itself. Accepted are pages of
 * this origin and clients that are not browsers: browsers send Sec-Fetch-Site, and Origin with every POST, PUT, PATCH
 * and DELETE.
 */
export const refuseCrossSite: RequestHandler = (request, response, next) => {
  if (safeMethods.has(request.method) || fromOwnPage(request.headers)) return next();
  response.status(403).type('text').send('Requests from other sites are refused.\n');
};

function fromOwnPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
