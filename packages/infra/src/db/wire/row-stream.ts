import type { ClientBase, Connection, PoolClient } from 'pg';
import type { DriverConnection } from './driver';
import { RowMessages, type BinaryRows } from './row-messages';

/** The read-ahead while the consumer works, so that the server does not wait. */
const maxReadAheadBytes = 4 << 20;

/**
 * The rows of one request, and the number of requests ahead of the consumer. The buffers of a connection hold
 * megabytes: an unlimited server would use the processor, which others need, for rows that wait in them.
 */
const portionRows = 4_000;
const portionsAhead = 2;

/**
 * Streams the rows of a query in binary format, in groups of whole rows, at the pace of the consumer. `fields` is the
 * number of columns. The client must not be used otherwise until the iteration ends.
 */
export async function* streamRows(
  client: PoolClient,
  query: string,
  fields: number,
): AsyncGenerator<BinaryRows, void, void> {
  const messages = new RowMessages(fields);
  const rows = client.query(new RowQuery(query));
  streamed.set(client, rows);
  try {
    while (!messages.ended) {
      const found = messages.take(await rows.chunk());
      if (!messages.ended) rows.request(messages.portions);
      if (found) yield messages;
    }
  } finally {
    rows.handBack(messages.rest);
  }
  await rows.completed;
}

/** The latest stream of a client. */
const streamed = new WeakMap<ClientBase, RowQuery>();

/** True from the first request for rows until the server has completed the query. */
export const isStreaming = (client: ClientBase): boolean => streamed.get(client)?.isOver === false;

/** True while the stream waits for its consumer: the server may have sent everything and stay idle. */
export const isAwaitingConsumer = (client: ClientBase): boolean => {
  const rows = streamed.get(client);
  return rows !== undefined && !rows.isOver && !rows.isWaiting;
};

type DataListener = (chunk: Buffer) => void;

/**
 * A query of the driver that passes on the bytes of its connection: the driver would create an object per row, which
 * takes longer than reading the row. The driver's data listener is detached until `handBack`.
 */
class RowQuery {
  /** Resolves when the server has completed the query. */
  readonly completed: Promise<void>;
  private readonly chunks: Buffer[] = [];
  private waitingBytes = 0;
  private connection: DriverConnection | undefined;
  private driver: DataListener | undefined;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private isHandedBack = false;
  /** True once the query has completed or failed. */
  isOver = false;
  private complete!: () => void;
  private fail!: (error: Error) => void;

  constructor(private readonly text: string) {
    this.completed = new Promise((resolve, reject) => {
      this.complete = resolve;
      this.fail = reject;
    });
    // The failure is thrown where a chunk or the end is awaited, which may be nowhere.
    this.completed.catch(() => undefined);
  }

  /** True while the connection has to deliver: rows for the consumer, or the end of the query. */
  get isWaiting(): boolean {
    return this.wake !== undefined || this.isHandedBack;
  }

  /** Gives the next bytes of the connection. @throws the error that ended the query or the connection */
  async chunk(): Promise<Buffer> {
    while (this.chunks.length === 0) {
      if (this.failure) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
    const chunk = this.chunks.shift() as Buffer;
    this.waitingBytes -= chunk.length;
    if (this.waitingBytes < maxReadAheadBytes) this.connection?.stream.resume();
    return chunk;
  }

  /** Requests further portions of rows. */
  request(portions: number): void {
    const { connection } = this;
    if (!connection || portions === 0) return;
    // Sent as one message: each would wake the server.
    connection.stream.cork();
    for (let i = 0; i < portions; i++) connection.execute({ rows: portionRows });
    connection.flush();
    connection.stream.uncork();
  }

  /** Lets the driver continue with these bytes: the rest of the rows after an early stop, or what follows. */
  handBack(rest: Buffer): void {
    this.isHandedBack = true;
    const { connection, driver } = this;
    // A connection that failed before the query was sent has nothing to hand back.
    if (!connection || !driver) return;
    const { stream } = connection;
    // Ends the query; requested portions arrive before.
    connection.sync();
    stream.removeListener('data', this.listener);
    stream.on('data', driver);
    for (const chunk of [rest, ...this.chunks.splice(0)]) if (chunk.length > 0) driver(chunk);
    stream.resume();
  }

  submit(driverConnection: Connection): void {
    const connection = driverConnection as unknown as DriverConnection;
    const { stream } = connection;
    const driver = stream.listeners('data')[0] as DataListener;
    stream.removeListener('data', driver);
    stream.on('data', this.listener);
    this.connection = connection;
    this.driver = driver;
    stream.cork();
    connection.parse({ text: this.text });
    connection.bind({ binary: true });
    this.request(portionsAhead);
    stream.uncork();
  }

  handleError(error: Error): void {
    this.isOver = true;
    this.failure = error;
    this.fail(error);
    this.wake?.();
  }

  handleReadyForQuery(): void {
    this.isOver = true;
    this.complete();
  }

  handleCommandComplete(): void {
    // The row messages have shown the end of the rows.
  }

  handleDataRow(): void {
    // The consumer has stopped: the row is dropped.
  }

  handlePortalSuspended(): void {
    // The consumer has stopped: no further portion is requested.
  }

  private readonly listener: DataListener = (chunk) => {
    this.chunks.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes >= maxReadAheadBytes) this.connection?.stream.pause();
    this.wake?.();
  };
}
