import { readFileSync } from 'node:fs';

/** The address of a Redis Cluster: some of its nodes, from which the others are discovered. */
export interface ClusterAddress {
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  tls?: { ca?: string };
}

const clusterUrl = /^(rediss?)\+cluster:\/\/(?:([^@/?#]*)@)?([^/?#@]*)\/?(?:\?([^#]*))?$/;
const clusterNode = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+?)(?::(\d{1,5}))?$/i;
const defaultPort = 6379;

export const isClusterUrl = (url: string): boolean => /^rediss?\+cluster:/.test(url);

/**
 * Reads `redis+cluster://user:password@host:port,host:port`, or `rediss+cluster://…?sslrootcert=<file>` for TLS.
 * @throws Error that says what is wrong, without the password
 */
export function readClusterUrl(url: string): ClusterAddress {
  const [, scheme, login = '', hosts = '', query = ''] = clusterUrl.exec(url) ?? [];
  if (scheme === undefined)
    throw new Error(
      'is not the url of a cluster, redis+cluster://host:port,host:port: in user and password write / as %2F, ' +
        '@ as %40, # as %23, ? as %3F and % as %25; a cluster has no number of a database',
    );
  const parameters = new URLSearchParams(query);
  const authorities = parameters.get('sslrootcert');
  for (const name of parameters.keys())
    if (name !== 'sslrootcert') throw new Error(`has the parameter ${name}; there is only sslrootcert`);
  if (authorities !== null && scheme === 'redis') throw new Error('has an sslrootcert, which needs rediss+cluster://');
  return {
    nodes: hosts.split(',').map(readNode),
    ...readLogin(login),
    ...(scheme === 'rediss' ? { tls: authorities === null ? {} : { ca: readAuthorities(authorities) } } : {}),
  };
}

function readNode(text: string): { host: string; port: number } {
  if (text === '') throw new Error('names no host');
  const [, host, port = String(defaultPort)] = clusterNode.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || Number(port) === 0)
    throw new Error('has a node that is not host:port, with a port up to 65535');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function readLogin(login: string): { username?: string; password?: string } {
  const at = login.indexOf(':');
  try {
    const [username, password] = (at < 0 ? [login, ''] : [login.slice(0, at), login.slice(at + 1)]).map(
      decodeURIComponent,
    ) as [string, string];
    return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
  } catch {
    throw new Error('has a user or password with a % that is not %25');
  }
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
