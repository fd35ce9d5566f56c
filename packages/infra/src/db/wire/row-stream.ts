import type { ClientBase, Connection, PoolClient } from 'pg';
import { RowMessages, type BinaryRows } from './row-messages';

/** What is read ahead while the consumer is at work: the server goes on meanwhile. */
const readAheadBytes = 4 << 20;

/**
 * So many rows are asked for at a time, so many times ahead of the consumer. The buffers of a connection hold megabytes: a server
 * that is not held back takes the processor from others who need it for rows that wait there.
 */
const portionRows = 4_000;
const portionsAhead = 2;

/**
 * Streams the rows of a query, with values in binary format, in groups of whole rows, at the pace of the consumer. `fields` is the
 * number of columns. The client must not be used for anything else until the iteration ends.
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
      if (!messages.ended) rows.ask(messages.portions);
      if (found) yield messages;
    }
  } finally {
    streamed.delete(client);
    rows.handBack(messages.rest);
  }
  await rows.completed;
}

const streamed = new WeakMap<ClientBase, RowQuery>();

/** Whether rows are read from it. */
export const isStreaming = (client: ClientBase): boolean => streamed.has(client);

/** Whether it is the consumer that is waited for: the server may have sent everything and be idle for as long as it takes. */
export const isAwaitingConsumer = (client: ClientBase): boolean => streamed.get(client)?.isWanted === false;

type DataListener = (chunk: Buffer) => void;

/** What the driver's connection takes, which its types do not tell. */
interface DriverConnection extends Pick<Connection, 'stream' | 'flush' | 'sync'> {
  parse(statement: { text: string }): void;
  bind(values: { binary: boolean }): void;
  execute(portion: { rows: number }): void;
}

/**
 * A query of the driver that gives out what its connection reads, as it is read: the driver makes an object of each row,
 * which takes longer than the row itself. Its listener for data is off the connection until it is handed back.
 */
class RowQuery {
  /** Once the server has said that the query is done. */
  readonly completed: Promise<void>;
  private readonly chunks: Buffer[] = [];
  private waitingBytes = 0;
  private connection: DriverConnection | undefined;
  private driver: DataListener | undefined;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private complete!: () => void;
  private fail!: (error: Error) => void;

  constructor(private readonly text: string) {
    this.completed = new Promise((resolve, reject) => {
      this.complete = resolve;
      this.fail = reject;
    });
    // Whoever waits for a chunk or for the end is told; nobody may be.
    this.completed.catch(() => undefined);
  }

  /** Whether the consumer waits for the connection. */
  get isWanted(): boolean {
    return this.wake !== undefined;
  }

  /** What the connection has read, in order. @throws what ended the query or the connection */
  async chunk(): Promise<Buffer> {
    while (this.chunks.length === 0) {
      if (this.failure) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
    const chunk = this.chunks.shift() as Buffer;
    this.waitingBytes -= chunk.length;
    if (this.waitingBytes < readAheadBytes) this.connection?.stream.resume();
    return chunk;
  }

  /** So many more portions of rows. */
  ask(portions: number): void {
    const { connection } = this;
    if (!connection || portions === 0) return;
    // As one message to the server, which each would wake.
    connection.stream.cork();
    for (let i = 0; i < portions; i++) connection.execute({ rows: portionRows });
    connection.flush();
    connection.stream.uncork();
  }

  /** The driver reads on, from these bytes: what is left of the rows when the consumer has left early, or what follows them. */
  handBack(rest: Buffer): void {
    const { connection, driver } = this;
    // A connection that has failed before the query was sent has nothing to hand back.
    if (!connection || !driver) return;
    const { stream } = connection;
    // Ends the query, for whatever reason; portions that were asked for come before.
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
    this.ask(portionsAhead);
    stream.uncork();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.fail(error);
    this.wake?.();
  }

  handleReadyForQuery(): void {
    this.complete();
  }

  handleCommandComplete(): void {
    // The rows themselves have told their end.
  }

  handleDataRow(): void {
    // Nobody wants it any more.
  }

  handlePortalSuspended(): void {
    // Nobody wants the next portion.
  }

  private readonly listener: DataListener = (chunk) => {
    this.chunks.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes >= readAheadBytes) this.connection?.stream.pause();
    this.wake?.();
  };
}
