import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@tieout/infra';
import type { RequestHandler, Response } from 'express';
import type { Credentials } from './config';
import { createGuessLimit, type Wait } from './guess-limit';

const challenge = 'Basic realm="Tieout queues", charset="UTF-8"';

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Decodes the text after `Basic `; undefined when the header is missing or has another scheme. */
function sentCredentials(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Gives the user of credentials, cut: what an attacker sends is kept and logged. */
const userOf = (sent: string): string => sent.split(':', 1).join('').slice(0, 64);

function refuse(response: Response, { seconds, isForUser }: Wait): void {
  const guessed = isForUser ? 'for this user from this address' : 'from this address';
  response
    .set('Retry-After', String(seconds))
    .status(429)
    .type('text')
    .send(`Too many wrong passwords ${guessed}. Try again in ${seconds} seconds.\n`);
}

/** Requires HTTP Basic credentials of one user. Compares digests of equal length, so that timing reveals nothing. */
export function requireCredentials(credentials: Credentials, logger: Logger): RequestHandler {
  const expected = digest(`${credentials.user}:${credentials.password}`);
  const guesses = createGuessLimit(Date.now);
  return (request, response, next) => {
    const address = request.ip ?? '';
    const sent = sentCredentials(request.headers.authorization);
    // The first request of a browser carries no credentials, so it is not a guess.
    if (sent !== undefined) {
      const user = userOf(sent);
      const wait = guesses.waitOf(address, user);
      if (wait) return refuse(response, wait);
      if (timingSafeEqual(digest(sent), expected)) return next();
      guesses.failed(address, user);
      logger.warn({ address, user }, 'wrong credentials');
    }
    response.set('WWW-Authenticate', challenge).status(401).type('text').send('Credentials are required.\n');
  };
}
