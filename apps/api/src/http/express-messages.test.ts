import { Socket } from 'node:net';
import express from 'express';
import { expressMessages } from './express-messages';

test('Express leaves the prototypes of requests and answers as they are, and both have what it gives them', () => {
  const app = express();
  const { IncomingMessage, ServerResponse } = expressMessages(app);
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    url: '/',
    headers: { 'x-request-id': 'one' },
  });
  const response = new ServerResponse(request);
  const seen: unknown[] = [];
  app.use((req, res) => {
    seen.push(
      Object.getPrototypeOf(req),
      Object.getPrototypeOf(res),
      req.app,
      req.get('x-request-id'),
      typeof res.json,
    );
  });
  app(request as never, response as never);
  expect(seen).toEqual([IncomingMessage.prototype, ServerResponse.prototype, app, 'one', 'function']);
  expect(seen[0]).toBe(app.request);
  expect(seen[1]).toBe(app.response);
});
