import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes of which a server makes its requests and answers. */
export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Classes whose instances have the prototypes that Express gives to each request and answer. One that has another prototype
 * loses the shape that the engine knows: all of Node's work on it is slow, and it is collected late.
 */
export function expressMessages(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
