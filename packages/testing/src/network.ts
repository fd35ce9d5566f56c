import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What lies between a server and whoever asks it. */
export interface TestNetwork {
  /** The address of the server, by way of this network. */
  url: string;
  /** Nothing passes any more on the connections that there are, and neither end is told. */
  forget(): void;
  /** New connections end at once. */
  refuse(): void;
  /** So do those that there are. */
  cut(): void;
  /** New connections lead to the server again. */
  mend(): void;
  close(): Promise<void>;
}

/** @param target url of a server on this machine, its port given */
export async function startNetwork(target: string): Promise<TestNetwork> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let refuses = false;
  const server = createServer((socket) => {
    if (refuses) return void socket.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [[socket, upstream], [upstream, socket]] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const refuse = (): void => {
    refuses = true;
  };
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    forget: () => sockets.forEach((socket) => socket.unpipe().pause()),
    refuse,
    cut: () => {
      refuse();
      end();
    },
    mend: () => {
      refuses = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      end();
      await closed;
    },
  };
}
