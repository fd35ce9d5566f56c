import { EventEmitter, on, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The network between a server and its clients. */
export interface TestNetwork {
  /** URL of the server through this network. */
  url: string;
  /** Stops all traffic of the present connections without telling either end. */
  forget(): void;
  /** Does so to the next connection that sends this text to the server. Resolves then. */
  forgetWhoSays(text: string): Promise<void>;
  /** Resumes forgotten connections, with the data sent meanwhile. */
  remember(): void;
  /** Resolves when the server next sends this text to any client. */
  heard(text: string): Promise<void>;
  /** Refuses new connections. */
  refuse(): void;
  /** Refuses new connections and ends the present ones. */
  cut(): void;
  /** Accepts new connections again. */
  mend(): void;
  close(): Promise<void>;
}

/** @param target url of a server on this machine, its port given */
export async function startNetwork(target: string): Promise<TestNetwork> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Map<Socket, Socket>();
  const forgotten = new Set<Socket>();
  const said = new EventEmitter();
  let refuses = false;
  let unwanted: { text: string; onForgotten: () => void } | undefined;
  const forget = (lost: Iterable<Socket>): void => {
    for (const socket of lost) forgotten.add(socket.unpipe().pause());
  };
  const server = createServer((socket) => {
    if (refuses) return void socket.destroy();
    const upstream = connect(Number(port), hostname);
    socket.on('data', (chunk: Buffer) => {
      if (unwanted === undefined || !chunk.includes(unwanted.text)) return;
      forget([socket, upstream]);
      unwanted.onForgotten();
      unwanted = undefined;
    });
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.set(from, to);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          forgotten.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
    upstream.on('data', (chunk: Buffer) => said.emit('data', chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const refuse = (): void => {
    refuses = true;
  };
  const end = (): void => sockets.forEach((_, socket) => socket.destroy());
  return {
    url: url.href,
    forget: () => forget(sockets.keys()),
    forgetWhoSays: (text) =>
      new Promise((resolve) => {
        unwanted = { text, onForgotten: resolve };
      }),
    remember: () => {
      for (const socket of forgotten) socket.pipe(sockets.get(socket) as Socket);
      forgotten.clear();
    },
    heard: async (text) => {
      for await (const [chunk] of on(said, 'data') as AsyncIterable<[Buffer]>) if (chunk.includes(text)) return;
    },
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
