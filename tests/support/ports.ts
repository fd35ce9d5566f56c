import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns free ports that differ from each other. */
export async function freePorts(count: number): Promise<[number, ...number[]]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports as [number, ...number[]];
}
