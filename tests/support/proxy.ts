import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a server that can be cut and mended. */
export interface Proxy {
  /** The address of the server, by way of the proxy. */
  url: string;
  /** Ends all connections, and refuses new ones. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param target url of a server, its port given */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((client) => {
    if (!whole) return void client.destroy();
    const upstream = createConnection(Number(port), hostname);
    for (const [one, other] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.toString(),
    cut: () => {
      whole = false;
      destroyAll();
    },
    mend: () => {
      whole = true;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      destroyAll();
      await closed;
    },
  };
}
