import { Client, type ClientBase, type ClientConfig } from 'pg';
import { socketOf } from './wire/driver';
import { isAwaitingConsumer, isStreaming } from './wire/row-stream';

interface LostConnectionsOptions {
  /** The address and credentials of the server. */
  config: ClientConfig;
  /** A running statement is checked when no byte has passed on its connection for this time. */
  silentMs: number;
  /** Destroys silent connections also while the server cannot be asked. Default: that waits until it can. */
  hasAlternative?: boolean;
  /** Called after lost connections have been destroyed. */
  onLost?: () => void;
}

interface Watched {
  client: ClientBase;
  /** The server's process; null until the connection is set up. */
  pid: number | null;
  bytes: number;
  silentSinceMs: number;
}

const checksPerSilence = 5;

/**
 * Destroys connections that only this end still knows of: the server has vanished, or a device in between has dropped
 * the connection. A statement would wait there until the system stops retransmitting, a quarter of an hour. Another
 * connection asks the server which silent statements it is still working on; those merely take long.
 */
export class LostConnections {
  private readonly watched = new Map<ClientBase, Watched>();
  private readonly timer: NodeJS.Timeout;
  private isAsking = false;

  constructor(private readonly options: LostConnectionsOptions) {
    this.timer = setInterval(() => this.check(), options.silentMs / checksPerSilence).unref();
  }

  /**
   * Gives the option `onConnect` of a pool: each connection is set up, and watched until it ends. The pool waits for
   * the returned promise before it uses the connection, though the type of the option does not say so.
   */
  onConnect(
    setUp: (client: ClientBase) => Promise<unknown> = () => Promise.resolve(),
  ): (client: ClientBase) => unknown {
    return (client) => this.watch(client, setUp);
  }

  private async watch(client: ClientBase, setUp: (client: ClientBase) => Promise<unknown>): Promise<void> {
    const watched: Watched = { client, pid: null, bytes: 0, silentSinceMs: performance.now() };
    this.watched.set(client, watched);
    client.once('end', () => this.watched.delete(client));
    await setUp(client);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    watched.pid = rows[0]?.pid ?? null;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const nowMs = performance.now();
    for (const each of this.watched.values()) {
      const bytes = bytesOf(each.client);
      if (bytes !== each.bytes || !isAwaited(each.client)) Object.assign(each, { bytes, silentSinceMs: nowMs });
    }
    const silent = [...this.watched.values()]
      .filter(({ silentSinceMs }) => nowMs - silentSinceMs >= this.options.silentMs)
      .map((each) => ({ ...each }));
    if (silent.length === 0 || this.isAsking) return;
    this.isAsking = true;
    this.workingPids(silent)
      .then((pids) => this.end(silent.filter((each) => !pids.has(each.pid) && isSilent(each))))
      .catch(() => {
        // A server that cannot be asked may come back, and the connections with it: the next check asks again.
        if (this.options.hasAlternative) this.end(silent.filter(isSilent));
      })
      .finally(() => {
        this.isAsking = false;
      });
  }

  private end(lost: readonly Watched[]): void {
    for (const { client } of lost) destroyConnection(client);
    if (lost.length > 0) this.options.onLost?.();
  }

  /** Asks which server processes run a statement. One that waits for its client to read rows does not count. */
  private async workingPids(silent: readonly Watched[]): Promise<Set<number | null>> {
    const client = new Client({ ...this.options.config, query_timeout: this.options.silentMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where pid = any($1::int[]) and coalesce(state not like 'idle%', true)
            and not (pid = any($2::int[]) and wait_event is not distinct from 'ClientRead')`,
        [silent.map(({ pid }) => pid), silent.filter(({ client }) => isStreaming(client)).map(({ pid }) => pid)],
      );
      return new Set(rows.map(({ pid }) => pid));
    } finally {
      // Not awaited: when this connection is lost too, its end may never be reported.
      void client.end().catch(() => undefined);
    }
  }
}

/** Closes a connection at once; its statements fail. */
export const destroyConnection = (client: ClientBase): void => void socketOf(client).destroy();

function bytesOf(client: ClientBase): number {
  const { bytesRead, bytesWritten } = socketOf(client);
  return bytesRead + bytesWritten;
}

/** True while a statement runs whose next bytes are waited for. */
const isAwaited = (client: ClientBase): boolean =>
  !(client as unknown as { readyForQuery: boolean }).readyForQuery && !isAwaitingConsumer(client);

const isSilent = ({ client, bytes }: Watched): boolean => isAwaited(client) && bytesOf(client) === bytes;
