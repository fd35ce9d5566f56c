/** An answer as a test sees it: what its body is, the test has to say. */
export interface ApiAnswer {
  status: number;
  text: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A request that is sent when it is awaited. */
export interface ApiCall extends PromiseLike<ApiAnswer> {
  set(header: string, value: string): this;
  send(body: object | string): this;
  /** A field of a form. */
  field(name: string, value: string): this;
  /** A file of a form. */
  attach(name: string, content: Buffer, options: { filename: string; contentType?: string }): this;
  expect(status: number): this;
  expect(header: string, value: string | RegExp): this;
  expect(check: (answer: ApiAnswer) => void): this;
}

/** The calls that an agent makes. */
export interface ApiAgent {
  get(path: string): ApiCall;
  delete(path: string): ApiCall;
  options(path: string): ApiCall;
  patch(path: string): ApiCall;
  post(path: string): ApiCall;
  put(path: string): ApiCall;
}
