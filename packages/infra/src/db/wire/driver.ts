import type { Socket } from 'node:net';
import type { ClientBase, Connection } from 'pg';

/** The parts of the driver's connection that its types leave out. */
export interface DriverConnection extends Pick<Connection, 'stream' | 'flush' | 'sync'> {
  parse(statement: { text: string }): void;
  bind(values: { binary?: boolean; statement?: string; values?: string[] }): void;
  execute(portion: { rows?: number }): void;
}

/** Gives the socket of a client, which the driver's types leave out. */
export const socketOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: Connection }).connection.stream as Socket;
