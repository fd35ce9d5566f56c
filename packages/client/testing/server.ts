import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Ends the connection instead. */
  hangUp?: boolean;
  /** Ends the connection in the middle of the answer. */
  breaksOff?: boolean;
  /** Leaves the request without an answer. */
  never?: boolean;
}

export interface AnsweringServer {
  url: string;
  received: Received[];
  close: () => Promise<void>;
}

/** A server whose answers are given, the last one for every further request. */
export async function serve(...answers: (Answer | ((received: Received) => Answer))[]): Promise<AnsweringServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const given = answers[Math.min(received.length, answers.length - 1)] as Answer;
      received.push({ method, url, headers, body });
      const answer =
        typeof given === 'function' ? (given as (r: Received) => Answer)(received.at(-1) as Received) : given;
      if (answer.hangUp) return request.socket.destroy();
      if (answer.never) return undefined;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      if (answer.breaksOff) return response.write('{"items":[', () => request.socket.destroy());
      return response.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
