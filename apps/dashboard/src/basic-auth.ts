import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@tieout/infra';
import type { RequestHandler } from 'express';
import type { Credentials } from './config';
import { createGuessLimit } from './guess-limit';

const challenge = 'Basic realm="Tieout queues", charset="UTF-8"';

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Decodes the text after `Basic `; undefined when the header is missing or has another scheme. */
function sentCredentials(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Requires HTTP Basic credentials of one user. Compares digests of equal length, so that timing reveals nothing. */
export function requireCredentials(credentials: Credentials, logger: Logger): RequestHandler {
  const expected = digest(`${credentials.user}:${credentials.password}`);
  const guesses = createGuessLimit(Date.now);
  return (request, response, next) => {
    const address = request.socket.remoteAddress ?? '';
    const waitSeconds = guesses.waitSeconds(address);
    if (waitSeconds > 0) {
      response
        .set('Retry-After', String(waitSeconds))
        .status(429)
        .type('text')
        .send('Too many wrong passwords. Try again later.\n');
      return;
    }
    const sent = sentCredentials(request.headers.authorization);
    if (sent !== undefined && timingSafeEqual(digest(sent), expected)) return next();
    // The first request of a browser carries no credentials, so it is no guess.
    if (sent !== undefined) {
      guesses.failed(address);
      logger.warn({ address }, 'wrong credentials');
    }
    response.set('WWW-Authenticate', challenge).status(401).type('text').send('Credentials are required.\n');
  };
}
