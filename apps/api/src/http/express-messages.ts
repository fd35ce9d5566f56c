import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes with which a server creates requests and answers. */
export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Makes classes whose instances already have the prototypes that Express sets on each request and answer. V8 gives an
 * object whose prototype changes a slow shape: everything that Node.js does with it takes longer, and it is collected
 * late.
 */
export function expressMessages(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
