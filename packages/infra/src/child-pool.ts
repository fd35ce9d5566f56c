import { fork, type ChildProcess } from 'node:child_process';
import { AppError, type ErrorCode, type FieldError, messageOf } from './errors';
import type { Logger } from './logger';

export interface ChildPoolOptions {
  /** JavaScript file that calls `serveChild`. */
  file: string;
  size: number;
  heapMb: number;
  /** A call that takes longer ends with `evaluation_timeout`; its process is replaced. */
  timeoutMs: number;
  logger: Logger;
}

export interface ChildPool {
  /** Runs one call in a child process. @throws AppError what the child threw, or `evaluation_timeout` */
  call<T>(method: string, argument: unknown): Promise<T>;
  close(): Promise<void>;
}

interface Call {
  method: string;
  argument: unknown;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Answer {
  value?: unknown;
  error?: { code: ErrorCode; message: string; errors?: FieldError[] };
}

/**
 * Processes for work that a tenant's text decides on (expressions): it can neither block nor exhaust the
 * process that serves HTTP. Each child runs one call at a time and is replaced when it dies or takes too long.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const waiting: Call[] = [];
  const idle: ChildProcess[] = [];
  const children = new Set<ChildProcess>();
  let closed = false;

  const spawn = (): ChildProcess => {
    const child = fork(options.file, [], {
      execArgv: [`--max-old-space-size=${options.heapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    children.add(child);
    // What a dying process prints, such as the state of an exhausted heap, belongs in the log like everything else.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => options.logger.warn({ stderr: text }, 'evaluation process'));
    child.on('error', (error) => options.logger.warn({ reason: error.message }, 'evaluation process'));
    child.on('exit', () => {
      children.delete(child);
      const position = idle.indexOf(child);
      if (position >= 0) idle.splice(position, 1);
      // Its place is free: a call may have waited for it.
      pump();
    });
    return child;
  };

  const pump = (): void => {
    while (!closed && waiting.length > 0) {
      const child = idle.pop() ?? (children.size < options.size ? spawn() : undefined);
      if (!child) return;
      run(child, waiting.shift() as Call);
    }
  };

  const run = (child: ChildProcess, call: Call): void => {
    const settle = (finish: () => void, reusable: boolean): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      if (reusable && !closed) idle.push(child);
      else child.kill('SIGKILL');
      finish();
      pump();
    };
    const onMessage = (answer: Answer): void => {
      const { error } = answer;
      settle(
        () =>
          error
            ? call.reject(new AppError(error.code, error.message, error.errors ? { errors: error.errors } : {}))
            : call.resolve(answer.value),
        true,
      );
    };
    const onExit = (): void => {
      children.delete(child);
      settle(() => call.reject(new AppError('evaluation_timeout', 'The expression used too much memory')), false);
    };
    const timer = setTimeout(
      () =>
        settle(
          () => call.reject(new AppError('evaluation_timeout', `The expressions took longer than ${options.timeoutMs} ms`)),
          false,
        ),
      options.timeoutMs,
    );
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ method: call.method, argument: call.argument }, (error) => {
      if (error) onExit();
    });
  };

  return {
    call: <T>(method: string, argument: unknown) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(new AppError('service_unavailable', 'The service is stopping'));
        waiting.push({ method, argument, resolve: resolve, reject });
        pump();
      }),
    close: () => {
      closed = true;
      for (const call of waiting.splice(0)) call.reject(new AppError('service_unavailable', 'The service is stopping'));
      for (const child of children) child.kill('SIGKILL');
      return Promise.resolve();
    },
  };
}

/** The child's side: answers calls by method name until the parent goes away. */
export function serveChild(methods: Record<string, (argument: never) => Promise<unknown>>): void {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  process.on('message', (message: { method: string; argument: unknown }) => {
    void answer(methods, message).then((reply) => process.send?.(reply));
  });
}

async function answer(
  methods: Record<string, (argument: never) => Promise<unknown>>,
  message: { method: string; argument: unknown },
): Promise<Answer> {
  try {
    const method = methods[message.method];
    if (!method) throw new Error(`unknown method ${message.method}`);
    return { value: await method(message.argument as never) };
  } catch (error) {
    if (error instanceof AppError) {
      return {
        error: { code: error.code, message: error.message, ...(error.errors ? { errors: [...error.errors] } : {}) },
      };
    }
    return { error: { code: 'internal_error', message: messageOf(error) } };
  }
}
