import type { Duplex } from 'node:stream';
import type { ClientBase, Connection, PoolClient } from 'pg';
import { CopyMessages, type BinaryRows } from './copy-messages';

/** What is read ahead while the consumer is at work: the server goes on meanwhile. */
const readAheadBytes = 4 << 20;

/**
 * Streams `copy (…) to stdout` in binary format, in groups of whole rows, at the pace of the consumer. `fields` is the
 * number of columns. The client must not be used for anything else until the iteration ends.
 */
export async function* copyOut(client: PoolClient, query: string, fields: number): AsyncGenerator<BinaryRows, void, void> {
  const messages = new CopyMessages(fields);
  const copy = client.query(new CopyOutQuery(`copy (${query}) to stdout (format binary)`));
  copies.set(client, copy);
  try {
    while (!messages.ended) if (messages.take(await copy.chunk())) yield messages;
  } finally {
    copies.delete(client);
    copy.handBack(messages.rest);
  }
  await copy.completed;
}

const copies = new WeakMap<ClientBase, CopyOutQuery>();

/** Whether it is the consumer that is waited for: the server may have sent everything and be idle for as long as it takes. */
export const isAwaitingConsumer = (client: ClientBase): boolean => copies.get(client)?.isWanted === false;

type DataListener = (chunk: Buffer) => void;

/**
 * A query of the driver that gives out what its connection reads, as it is read: the driver makes an object of each row,
 * which takes longer than the row itself. Its listener for data is off the connection until it is handed back.
 */
class CopyOutQuery {
  /** Once the server has said that the query is done. */
  readonly completed: Promise<void>;
  private readonly chunks: Buffer[] = [];
  private waitingBytes = 0;
  private stream: Duplex | undefined;
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
    if (this.waitingBytes < readAheadBytes) this.stream?.resume();
    return chunk;
  }

  /** The driver reads on, from these bytes: what is left of the rows when the consumer has left early, or what follows them. */
  handBack(rest: Buffer): void {
    const { stream, driver } = this;
    // A connection that has failed before the query was sent has nothing to hand back.
    if (!stream || !driver) return;
    stream.removeListener('data', this.listener);
    stream.on('data', driver);
    for (const chunk of [rest, ...this.chunks.splice(0)]) if (chunk.length > 0) driver(chunk);
    stream.resume();
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    const driver = stream.listeners('data')[0] as DataListener;
    stream.removeListener('data', driver);
    stream.on('data', this.listener);
    this.stream = stream;
    this.driver = driver;
    connection.query(this.text);
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

  handleCopyData(): void {
    // Rows that nobody wants any more.
  }

  private readonly listener: DataListener = (chunk) => {
    this.chunks.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes >= readAheadBytes) this.stream?.pause();
    this.wake?.();
  };
}
