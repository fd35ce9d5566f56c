import { Client, type ClientConfig, type Connection, type Query } from 'pg';
import type { QueryCallback } from './tenant-query';

export interface SharedConnectionsOptions {
  config: ClientConfig;
  /** Opened when they are needed. */
  count: number;
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

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

class SharedConnection {
  unanswered = 0;
  private client: Promise<Client> | undefined;

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
    }
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  private open(): Promise<Client> {
    const client = new Client({ ...this.options.config, pipeline: true });
    const opened = connected(client, this.options.setUp);
    const forget = (): void => {
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
  const { stream } = (client as unknown as { connection: Connection }).connection;
  stream.cork();
  setImmediate(() => {
    heldBack.delete(client);
    stream.uncork();
  });
}
