import { Client, type ClientBase, type ClientConfig } from 'pg';
import { isAwaitingConsumer, isStreaming } from './wire/row-stream';
import { streamOf } from './wire/stream-of';

export interface LostConnectionsOptions {
  /** How to reach the server. */
  config: ClientConfig;
  /** A statement under way is asked about when nothing has come or gone on its connection for so long. */
  silentMs: number;
  /** Called when connections have been found lost. */
  onLost?: () => void;
}

interface Watched {
  client: ClientBase;
  /** Of the server's process; null until the connection is set up. */
  pid: number | null;
  bytes: number;
  silentSinceMs: number;
}

const looksPerSilence = 5;

/**
 * Finds connections that only this end still knows of: the server is gone without a word, or something in between has forgotten them.
 * A statement would wait there until the system stops repeating what nobody acknowledges, a quarter of an hour. That one merely takes
 * long, the server says, over another connection: it is at work on it.
 */
export class LostConnections {
  private readonly watched = new Map<ClientBase, Watched>();
  private readonly timer: NodeJS.Timeout;
  private asking = false;

  constructor(private readonly options: LostConnectionsOptions) {
    this.timer = setInterval(() => this.look(), options.silentMs / looksPerSilence).unref();
  }

  /**
   * For the option `onConnect` of a pool: each connection is set up, and watched from then on until it ends. What it returns is waited for
   * before the connection is used, though the type of the option does not say so.
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

  private look(): void {
    const nowMs = performance.now();
    for (const each of this.watched.values()) {
      const bytes = bytesOf(each.client);
      if (bytes !== each.bytes || !isAwaited(each.client)) Object.assign(each, { bytes, silentSinceMs: nowMs });
    }
    const silent = [...this.watched.values()]
      .filter(({ silentSinceMs }) => nowMs - silentSinceMs >= this.options.silentMs)
      .map((each) => ({ ...each }));
    if (silent.length === 0 || this.asking) return;
    this.asking = true;
    this.atWork(silent)
      .then((pids) => this.end(silent.filter((each) => !pids.has(each.pid) && isSilent(each))))
      // Whoever cannot be asked may be back, and with it the connections: they are asked about again.
      .catch(() => undefined)
      .finally(() => {
        this.asking = false;
      });
  }

  private end(lost: readonly Watched[]): void {
    for (const { client } of lost) streamOf(client).destroy();
    if (lost.length > 0) this.options.onLost?.();
  }

  /** The server's processes, of these, that have a statement in hand. One that has sent the rows asked for waits for its client. */
  private async atWork(silent: readonly Watched[]): Promise<Set<number | null>> {
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
      // Not waited for: of a connection that is lost too, the end may never come.
      void client.end().catch(() => undefined);
    }
  }
}

function bytesOf(client: ClientBase): number {
  const { bytesRead, bytesWritten } = streamOf(client);
  return bytesRead + bytesWritten;
}

/** Whether a statement is under way, and somebody waits for what it gives. */
const isAwaited = (client: ClientBase): boolean =>
  !(client as unknown as { readyForQuery: boolean }).readyForQuery && !isAwaitingConsumer(client);

const isSilent = ({ client, bytes }: Watched): boolean => isAwaited(client) && bytesOf(client) === bytes;
