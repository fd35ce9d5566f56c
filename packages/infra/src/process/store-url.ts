import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { isClusterUrl, readClusterUrl } from '../kernel/cluster-url';
import { messageOf } from '../kernel/errors';

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const redisSchemes = ['redis:', 'rediss:'];
/** Matches the port of a url that may be none. It may be part of a password, so no message shows it. */
const portText = /^[a-z]+:\/\/(?:.*@)?(?:\[[^\]]*\]|[^:/?#@[\]]+):([^:/?#@]+)(?:[/?#][^@]*)?$/;

/**
 * Reads the url of PostgreSQL, Redis or a Redis Cluster. The modes of sslmode get the meaning that PostgreSQL's own
 * programs give them: `require` encrypts, `verify-ca` checks the certificate against sslrootcert, `verify-full` the
 * name of the host too.
 * @throws Error that says what is wrong, without the password
 */
export function readStoreUrl(text: string): string {
  if (isClusterUrl(text)) {
    readClusterUrl(text);
    return text;
  }
  const url = parseUrl(text);
  if (redisSchemes.includes(url.protocol)) return readRedisUrl(url, text);
  return readPostgresUrl(url, text);
}

function parseUrl(text: string): URL {
  try {
    const url = new URL(text);
    for (const part of [url.username, url.password]) decodeURIComponent(part);
    return url;
  } catch {
    if (!(Number(portText.exec(text)?.[1] ?? 0) <= 65535))
      throw new Error('has a port that is not a number up to 65535');
    throw new Error(
      'is not a url: in user and password write / as %2F, @ as %40, : as %3A, # as %23, ? as %3F and % as %25',
    );
  }
}

function readRedisUrl(url: URL, text: string): string {
  if (url.hostname === '') throw new Error('names no host');
  if (!/^\/?\d*$/.test(url.pathname))
    throw new Error(`has the database ${url.pathname.slice(1)}, which is not a number`);
  const authorities = url.searchParams.get('sslrootcert');
  if (authorities === null) return text;
  if (url.protocol === 'redis:') throw new Error('has an sslrootcert, which needs rediss://');
  try {
    readFileSync(authorities);
  } catch (error) {
    throw new Error(`cannot be used: ${messageOf(error)}`, { cause: error });
  }
  return text;
}

function readPostgresUrl(url: URL, text: string): string {
  // Another parameter names the directory of a socket.
  if (url.hostname === '' && !url.searchParams.get('host')) throw new Error('names no host');
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !sslModes.includes(mode))
    throw new Error(`has the sslmode ${mode}; it must be one of ${sslModes.join(', ')}`);
  const isOwnMode = mode === null || ['disable', 'no-verify'].includes(mode) || url.searchParams.has('uselibpqcompat');
  const read = isOwnMode ? text : withParameter(text, 'uselibpqcompat=true');
  try {
    // Reads the certificates that the url names, and opens no connection.
    new Client({ connectionString: read });
  } catch (error) {
    throw new Error(`cannot be used: ${messageOf(error)}`, { cause: error });
  }
  return read;
}

/** Adds a parameter to a url with others. A parsed url would escape some passwords in another way. */
const withParameter = (url: string, parameter: string): string => url.replace(/\?/, `?${parameter}&`);
