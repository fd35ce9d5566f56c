import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { endOnFaults } from '../src/output/print';
import { runProgram } from '../src/program';

class Captured extends Writable {
  text = '';

  constructor(
    private readonly onText: (soFar: string) => void = () => undefined,
    private readonly fault?: string,
  ) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.fault !== undefined) {
      done(Object.assign(new Error(`${this.fault}: write`), { code: this.fault }));
      return;
    }
    this.text += chunk.toString();
    this.onText(this.text);
    done();
  }
}

export interface CommandRun {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line in this process, with nothing in its environment but this. */
export async function runCommandIn(env: Record<string, string>, ...args: string[]): Promise<CommandRun> {
  return runCommandWith({ env }, ...args);
}

/** Runs a command line in this process, with what its standard input brings and what interrupts it. */
export async function runCommandWith(
  ends: {
    env?: Record<string, string>;
    input?: string;
    onInterrupt?: (stop: () => void) => void;
    /** Gets all that was said about the work so far. */
    onErr?: (soFar: string) => void;
    /** The code of the error that everything printed meets. */
    outFault?: string;
  },
  ...args: string[]
): Promise<CommandRun> {
  const { env = {}, input = '', onInterrupt = () => undefined, onErr, outFault } = ends;
  const [out, err] = [new Captured(undefined, outFault), new Captured(onErr)];
  let faultCode: number | undefined;
  endOnFaults({ out, err }, (code) => (faultCode ??= code), args);
  const code = await runProgram(args, { in: Readable.from([input]), out, err, env, onInterrupt }, '1.2.3');
  // A stream tells its error after the write that meets it.
  await setImmediate();
  return { code: faultCode ?? code, out: out.text, err: err.text };
}

export const runCommand = (...args: string[]): Promise<CommandRun> => runCommandIn({}, ...args);
