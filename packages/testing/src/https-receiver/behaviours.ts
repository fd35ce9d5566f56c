import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** One request at the receiver, read whole, and the ways to answer it. */
export interface ReceiverExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Ends the connection with RST. */
  reset(): void;
}

/** Answers a request, or fails to. */
export type Behaviour = (exchange: ReceiverExchange) => void;

/** Repeats until the connection is gone. */
function every(intervalMs: number, { response }: ReceiverExchange, action: () => void): void {
  action();
  const timer = setInterval(action, intervalMs);
  response.once('close', () => clearInterval(timer));
}

export const answer =
  (status = 200, body: string | Buffer = '', headers: OutgoingHttpHeaders = {}): Behaviour =>
  ({ response }) =>
    void response.writeHead(status, headers).end(body);

export const redirect = (status: number, location: string): Behaviour => answer(status, '', { location });

/** Never answers; the connection stays open. */
export const hang = (): Behaviour => () => undefined;

/** Answers after a time, as another behaviour says. */
export const after =
  (delayMs: number, then: Behaviour): Behaviour =>
  (exchange) => {
    const timer = setTimeout(() => then(exchange), delayMs);
    exchange.response.once('close', () => clearTimeout(timer));
  };

/** The status line at once, then bodies that never end. */
export const tricklingBody =
  (status = 200, intervalMs = 50): Behaviour =>
  (exchange) => {
    exchange.response.writeHead(status);
    every(intervalMs, exchange, () => exchange.response.write('.'));
  };

/** Says more bytes than it sends, and stays. */
export const stalledBody =
  (status = 200, sent = 'beginning'): Behaviour =>
  ({ response }) =>
    void response.writeHead(status, { 'content-length': sent.length + 1 }).write(sent);

/** Says more bytes than it sends, and closes. */
export const truncatedBody =
  (status = 200, sent = 'beginning'): Behaviour =>
  ({ request, response }) =>
    response.writeHead(status, { 'content-length': sent.length + 100 }).write(sent, () => request.socket.end());

/** Sends an endless body, as fast as the client reads it. */
export const endlessBody =
  (status = 200): Behaviour =>
  ({ response }) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const pump = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(status).on('drain', pump);
    pump();
  };

export const gzipBomb =
  (inflatedBytes: number, status = 200): Behaviour =>
  (exchange) =>
    answer(status, gzipSync(Buffer.alloc(inflatedBytes)), { 'content-encoding': 'gzip' })(exchange);

/** Header lines, one at a time, that never end. */
export const tricklingHeaders =
  (intervalMs = 50): Behaviour =>
  (exchange) => {
    const { socket } = exchange.request;
    socket.write('HTTP/1.1 200 OK\r\n');
    every(intervalMs, exchange, () => socket.write('x-more: 1\r\n'));
  };

/** Interim answers without end. */
export const continueFlood =
  (intervalMs = 5): Behaviour =>
  (exchange) =>
    every(intervalMs, exchange, () => exchange.request.socket.write('HTTP/1.1 100 Continue\r\n\r\n'));

/** These bytes instead of an answer of HTTP; then the end of the connection unless it stays open. */
export const rawAnswer =
  (bytes: string | Buffer, { keepOpen = false } = {}): Behaviour =>
  ({ request: { socket } }) =>
    void (keepOpen ? socket.write(bytes) : socket.end(bytes));

/** FIN instead of an answer. */
export const closeWithoutAnswer = (): Behaviour => rawAnswer('');

/** RST instead of an answer. */
export const reset = (): Behaviour => (exchange) => exchange.reset();

/** One behaviour for each request in turn; the last one for all that follow. */
export function sequence(first: Behaviour, ...others: readonly Behaviour[]): Behaviour {
  const all = [first, ...others];
  let next = 0;
  return (exchange) => (all[Math.min(next++, all.length - 1)] as Behaviour)(exchange);
}
