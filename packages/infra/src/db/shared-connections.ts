import { Client, Query, type ClientConfig } from 'pg';
import { runningLap } from '../concurrency/timeouts';
import { destroyConnection } from './lost-connections';
import type { QueryCallback } from './tenant-query';
import { socketOf } from './wire/driver';

interface SharedConnectionsOptions {
  config: ClientConfig;
  /** The number of connections, which are opened when they are needed. */
  count: number;
  /** A connection is discarded, with all its statements, when a statement has no answer after this time. */
  answerTimeoutMs: number;
  /** Prepares a new connection. */
  setUp: (client: Client) => Promise<unknown>;
  /** Called when a connection is lost; its statements fail, and the next statement opens another one. */
  onLost: (error: Error) => void;
}

/**
 * Connections that statements share by pipelining: each statement is sent without waiting for earlier answers, and all
 * statements of one turn of the event loop leave in one message. Each statement is its own transaction. One that takes
 * long delays the later ones.
 */
export class SharedConnections {
  private readonly connections: SharedConnection[];

  constructor(options: SharedConnectionsOptions) {
    this.connections = Array.from({ length: options.count }, () => new SharedConnection(options));
  }

  /** Runs a statement on the connection with the fewest unanswered statements. */
  run<R>(queryWith: (callback: QueryCallback) => Query): Promise<R> {
    const idlest = this.connections.reduce((best, one) => (one.unanswered < best.unanswered ? one : best));
    return idlest.run(queryWith);
  }

  /** Counts connections that are in use and idle. */
  usage(): { busy: number; idle: number } {
    const open = this.connections.filter((connection) => connection.isOpen);
    const busy = open.filter(({ unanswered }) => unanswered > 0).length;
    return { busy, idle: open.length - busy };
  }

  /** Resolves when every open connection answers. */
  async ping(): Promise<void> {
    await Promise.all(this.connections.filter(({ isOpen }) => isOpen).map((connection) => connection.run(ping)));
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

const ping = (callback: QueryCallback): Query =>
  new Query('select 1', (error, result) => callback(error ?? null, result));

const checksPerTimeout = 10;

class SharedConnection {
  unanswered = 0;
  private client: Promise<Client> | undefined;
  /** The running time of this process since the last answer, while an answer was due. */
  private waitedMs = 0;

  constructor(private readonly options: SharedConnectionsOptions) {}

  async run<R>(queryWith: (callback: QueryCallback) => Query): Promise<R> {
    this.unanswered++;
    try {
      const client = await (this.client ??= this.open());
      return await new Promise<R>((resolve, reject) => {
        corkUntilNextTick(client);
        client.query(queryWith((error, result) => (error ? reject(error) : resolve(result as R))));
      });
    } finally {
      this.unanswered--;
      this.waitedMs = 0;
    }
  }

  get isOpen(): boolean {
    return this.client !== undefined;
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  private open(): Promise<Client> {
    const { config, setUp, answerTimeoutMs } = this.options;
    const client = new Client({ ...config, pipeline: true });
    const opened = connected(client, setUp);
    // One timer for all statements: a timer per statement kept its answer in memory for longer.
    const everyMs = answerTimeoutMs / checksPerTimeout;
    const lap = runningLap(everyMs);
    const watch = setInterval(() => {
      const sinceMs = lap();
      this.waitedMs = this.unanswered > 0 ? this.waitedMs + sinceMs : 0;
      if (this.waitedMs >= answerTimeoutMs) destroyConnection(client);
    }, everyMs).unref();
    const forget = (): void => {
      clearInterval(watch);
      if (this.client === opened) this.client = undefined;
    };
    client.on('error', this.options.onLost).once('end', forget);
    opened.catch(forget);
    return opened;
  }
}

async function connected(client: Client, setUp: SharedConnectionsOptions['setUp']): Promise<Client> {
  try {
    await client.connect();
    await setUp(client);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

const corked = new WeakSet<Client>();

/** Delays writes to the connection to the end of this turn of the event loop, when they leave together. */
function corkUntilNextTick(client: Client): void {
  if (corked.has(client)) return;
  corked.add(client);
  const socket = socketOf(client);
  socket.cork();
  setImmediate(() => {
    corked.delete(client);
    socket.uncork();
  });
}
