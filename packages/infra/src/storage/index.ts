import path from 'node:path';
import { ConfigError } from '../kernel/errors';
import { localStorage } from './local-storage';
import { s3Storage } from './s3-storage';
import type { Storage } from './storage';

export { Measured, ObjectMissingError, type Storage, type StoredObject } from './storage';

/**
 * Opens the storage of a URL: `file:///var/lib/tieout` (or `file:` and a path relative to the working directory), or
 * `s3://bucket/prefix?region=eu-central-1&endpoint=https://…&path_style=1`.
 * @throws ConfigError
 */
export function createStorage(url: string): Storage {
  if (url.startsWith('file:')) return localStorage(path.resolve(pathOf(url)));
  const { protocol, hostname, pathname, searchParams } = new URL(url);
  if (protocol !== 's3:' || hostname === '')
    throw new ConfigError('STORAGE_URL must be file:<directory> or s3://<bucket>/<prefix>');
  const endpoint = searchParams.get('endpoint');
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return s3Storage({
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    pathStyle: searchParams.get('path_style') === '1' || endpoint !== null,
    ...(endpoint === null ? {} : { endpoint }),
  });
}

function pathOf(url: string): string {
  const rest = decodeURIComponent(url.slice('file:'.length));
  return rest.startsWith('//') ? rest.slice(2) : rest;
}
