import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Spreads connections over the ready ones of some servers, as a load balancer that asks /readyz does. */
export interface Balancer {
  url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const askEveryMs = 50;

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const ports = urls.map((url) => Number(new URL(url).port));
  const ready = new Set<number>(ports);
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    const choice = [...ready];
    const port = choice[turn++ % choice.length];
    // No backend is ready: the caller sees a refused connection.
    if (port === undefined) return void client.destroy();
    const backend = connect(port, host);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(from);
      from.once('close', () => (sockets.delete(from), to.destroy())).once('error', () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, host);
  await once(server, 'listening');
  const ask = (port: number): void => {
    const answered = (isReady: boolean): void => void (isReady ? ready.add(port) : ready.delete(port));
    get({ host, port, path: '/readyz', agent: false }, (response) => answered(response.resume().statusCode === 200)).on(
      'error',
      () => answered(false),
    );
  };
  const timer = setInterval(() => ports.forEach(ask), askEveryMs);
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(timer);
      const closed = once(server.close(), 'close');
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
