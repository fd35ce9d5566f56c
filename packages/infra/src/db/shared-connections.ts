import { Client, Query, type ClientConfig } from 'pg';
import { runningLap } from '../process/running-timeout';
import { streamOf } from './wire/stream-of';
import type { QueryCallback } from './tenant-query';

export interface SharedConnectionsOptions {
  config: ClientConfig;
  /** Opened when they are needed. */
  count: number;
  /** A connection on which a statement has no answer for so long is given up, with all that wait on it. */
  answerTimeoutMs: number;
  /** Readies a new connection. */
  setUp: (client: Client) => Promise<unknown>;
  /** Hears of a connection that is lost; its statements fail, and the next one opens another. */
  onLost: (error: Error) => void;
}

/**
 * Connections that statements share: each is sent without waiting for the answers to those before it, and what is asked in one
 * turn of the event loop goes out as one message. Each ends its transaction by itself. One that takes long holds up those behind it.
 */
export class SharedConnections {
  private readonly connections: SharedConnection[];

  constructor(options: SharedConnectionsOptions) {
    this.connections = Array.from({ length: options.count }, () => new SharedConnection(options));
  }

  /** Runs a statement behind the fewest others. */
  run<R>(queryWith: (callback: QueryCallback) => Query): Promise<R> {
    return this.connections.reduce((least, one) => (one.unanswered < least.unanswered ? one : least)).run(queryWith);
  }

  /** Connections that are in use and not. */
  usage(): { busy: number; idle: number } {
    const open = this.connections.filter((connection) => connection.isOpen);
    const busy = open.filter(({ unanswered }) => unanswered > 0).length;
    return { busy, idle: open.length - busy };
  }

  /** Resolves when each that is open answers. */
  async ping(): Promise<void> {
    await Promise.all(this.connections.filter(({ isOpen }) => isOpen).map((connection) => connection.run(ping)));
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

const ping = (callback: QueryCallback): Query =>
  new Query('select 1', (error, result) => callback(error ?? null, result));

/** A connection is looked at so often while it may take to answer. */
const looksPerTimeout = 10;

class SharedConnection {
  unanswered = 0;
  private client: Promise<Client> | undefined;
  /** Since the last answer, while there was something to answer and this process ran. */
  private waitedMs = 0;

  constructor(private readonly options: SharedConnectionsOptions) {}

  async run<R>(queryWith: (callback: QueryCallback) => Query): Promise<R> {
    this.unanswered += 1;
    try {
      const client = await (this.client ??= this.open());
      return await new Promise<R>((resolve, reject) => {
        holdBack(client);
        client.query(queryWith((error, result) => (error ? reject(error) : resolve(result as R))));
      });
    } finally {
      this.unanswered -= 1;
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
    // One timer for all statements: with one for each, what they answered was collected late.
    const everyMs = answerTimeoutMs / looksPerTimeout;
    const lap = runningLap(everyMs);
    const watch = setInterval(() => {
      const sinceMs = lap();
      this.waitedMs = this.unanswered > 0 ? this.waitedMs + sinceMs : 0;
      if (this.waitedMs >= answerTimeoutMs) streamOf(client).destroy();
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

const heldBack = new WeakSet<Client>();

/** What is written to the connection from now on leaves at the end of this turn of the event loop. */
function holdBack(client: Client): void {
  if (heldBack.has(client)) return;
  heldBack.add(client);
  const stream = streamOf(client);
  stream.cork();
  setImmediate(() => {
    heldBack.delete(client);
    stream.uncork();
  });
}
