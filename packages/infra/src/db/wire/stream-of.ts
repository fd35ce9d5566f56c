import type { Socket } from 'node:net';
import type { ClientBase, Connection } from 'pg';

/** The socket of a connection, which the types of `pg` leave out. */
export const streamOf = (client: ClientBase): Socket =>
  (client as unknown as { connection: Connection }).connection.stream as Socket;
