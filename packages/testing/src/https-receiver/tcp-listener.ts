import net, { type AddressInfo, type Socket } from 'node:net';

export interface TcpListener {
  port: number;
  /** All bytes that came, over all connections. */
  bytes(): Buffer;
  connections(): number;
  stop(): Promise<void>;
}

/** A listener on loopback for what happens below HTTP: no TLS, a handshake that stalls, a connection that is reset. */
export async function startTcpListener(onConnection: (socket: Socket) => void): Promise<TcpListener> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (chunk) => chunks.push(chunk));
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => Buffer.concat(chunks),
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
