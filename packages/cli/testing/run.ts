import { Writable } from 'node:stream';
import { runProgram } from '../src/program';

class Captured extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
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
  const [out, err] = [new Captured(), new Captured()];
  const code = await runProgram(args, { out, err, env }, '1.2.3');
  return { code, out: out.text, err: err.text };
}

export const runCommand = (...args: string[]): Promise<CommandRun> => runCommandIn({}, ...args);
