import type { operations } from './generated/api';

export type OperationName = keyof operations;

type Parameters<N extends OperationName> = operations[N]['parameters'];
type Known<T> = Exclude<T, undefined>;
type Content<T> = Known<T> extends { content: infer C } ? C : never;

/** The fields of a form, with its file. */
type FormBody<F> = { [K in keyof F]: F[K] extends string ? (K extends 'file' ? Blob : F[K]) : F[K] };

type BodyOf<C> = C extends { 'multipart/form-data': infer F }
  ? FormBody<F>
  : C extends { 'application/x-ndjson': unknown }
    ? string | readonly unknown[]
    : C extends { 'application/json': infer J }
      ? J
      : never;

type Part<P, K extends 'path' | 'query'> = K extends keyof P
  ? [Known<P[K]>] extends [never]
    ? unknown
    : undefined extends P[K]
      ? { [key in K]?: Known<P[K]> }
      : { [key in K]: P[K] }
  : unknown;

type BodyPart<R> = [Known<R>] extends [never]
  ? unknown
  : undefined extends R
    ? { body?: BodyOf<Content<R>> }
    : { body: BodyOf<Content<R>> };

type RequestBodyOf<N extends OperationName> = operations[N] extends { requestBody?: infer R } ? R : undefined;

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** The longest wait for the head of one answer. Default: that of the client. */
  timeoutMs?: number | undefined;
  /** Used by operations that create or decide something. Default: a new one for each call, shared by its retries. */
  idempotencyKey?: string | undefined;
  /** Names the person behind the request in the audit. Default: that of the client. */
  actor?: string | undefined;
}

/** The parameters and the body of an operation. */
export type Input<N extends OperationName> = Part<Parameters<N>, 'path'> &
  Part<Parameters<N>, 'query'> &
  BodyPart<RequestBodyOf<N>> &
  RequestOptions;

type SuccessOf<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? R[S] : never }[keyof R];
type AnswerOf<S> = S extends { content: infer C }
  ? [keyof C] extends ['application/json']
    ? C[keyof C]
    : Response
  : undefined;

/** The JSON of an answer; the `Response` where it can be another file; undefined where it has no body. */
export type Output<N extends OperationName> = AnswerOf<SuccessOf<operations[N]['responses']>>;

export type ApiMethod<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? (input?: Input<N>) => Promise<Output<N>>
    : (input: Input<N>) => Promise<Output<N>>;
