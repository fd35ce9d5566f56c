import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * - open: bytes pass.
 * - cut: connections are reset, new ones too.
 * - stalled: connections stay, and new ones are accepted, but nothing passes.
 * - slow: every chunk of bytes comes so much later.
 */
export type ProxyState = { kind: 'open' | 'cut' | 'stalled' } | { kind: 'slow'; latencyMs: number };

/** The network between a process and a server. */
export interface Proxy {
  port: number;
  set(state: ProxyState): void;
  /** Resets every connection once. */
  reset(): void;
  /**
   * Stops all traffic of the present connections. The process is never told; the server notices, as it does when its
   * packets are not acknowledged.
   */
  forget(): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  /** Part of it was lost: when the network is back, neither end knows the other any more. */
  stalled: boolean;
  forgotten: boolean;
}

/** Longer than the keepalive the sessions ask of the server, which then notices a dead client. */
const serverNoticesMs = 30_000;

export async function startProxy(targetPort: number, port = 0): Promise<Proxy> {
  const links = new Set<Link>();
  let state: ProxyState = { kind: 'open' };

  const breakUp = (link: Link): void => {
    links.delete(link);
    for (const socket of [link.client, link.server]) if (!socket.destroyed) socket.resetAndDestroy();
  };

  const pass = (link: Link, from: Socket, to: Socket): void => {
    let dueMs = 0;
    from.on('data', (chunk) => {
      const latencyMs = state.kind === 'slow' ? state.latencyMs : 0;
      // Bytes keep their order when the latency changes.
      dueMs = Math.max(dueMs, performance.now() + latencyMs);
      const write = (): void => {
        if (to.destroyed || to.write(chunk)) return;
        from.pause();
        to.once('drain', () => link.stalled || from.resume());
      };
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) setTimeout(write, waitMs);
      else write();
    });
    const end = (): void => {
      if (!link.forgotten || from === link.client) breakUp(link);
    };
    from.on('error', end).on('close', end);
  };

  const stall = (link: Link): void => {
    link.stalled = true;
    link.client.pause();
    link.server.pause();
  };

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    if (state.kind === 'cut') return void client.resetAndDestroy();
    client.setNoDelay(true);
    const link = {
      client,
      server: createConnection(targetPort, '127.0.0.1').setNoDelay(true),
      stalled: false,
      forgotten: false,
    };
    links.add(link);
    pass(link, client, link.server);
    pass(link, link.server, client);
    if (state.kind === 'stalled') stall(link);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      state = next;
      for (const link of links) {
        if (link.forgotten) continue;
        if (state.kind === 'cut' || (state.kind !== 'stalled' && link.stalled)) breakUp(link);
        else if (state.kind === 'stalled') stall(link);
      }
    },
    reset: () => links.forEach(breakUp),
    forget: () => {
      for (const link of links) {
        stall(link);
        link.forgotten = true;
        setTimeout(() => link.server.resetAndDestroy(), serverNoticesMs).unref();
      }
    },
    close: async () => {
      links.forEach(breakUp);
      server.close();
      await once(server, 'close');
    },
  };
}
