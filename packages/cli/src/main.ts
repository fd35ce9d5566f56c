import path from 'node:path';
import { endOnFaults } from './output/print';
import { runProgram } from './program';

const { stdin, stdout, stderr } = process;

const args = process.argv.slice(2);
let stop: (() => void) | undefined;
/** Ends the command at once, or lets it end itself. */
function end(code: number): void {
  if (stop === undefined) process.exit(code);
  stop();
  stop = undefined;
}

endOnFaults(
  { out: stdout, err: stderr },
  (code) => {
    // A later text of the command meets the same fault.
    if (process.exitCode !== undefined) return;
    process.exitCode = code;
    end(code);
  },
  args,
);

const interrupts = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
/** Ends the process by the signal: exit would wait for a pipe without a writer. */
function endBy(signal: keyof typeof interrupts): void {
  process.emit('exit', 128 + interrupts[signal]);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
for (const signal of Object.keys(interrupts) as (keyof typeof interrupts)[])
  process.on(signal, () => (stop === undefined ? endBy(signal) : end(128 + interrupts[signal])));

const terminal = {
  in: stdin,
  out: stdout,
  err: stderr,
  onInterrupt: (onStop: () => void) => (stop = onStop),
  helper: path.join(__dirname, 'helper.js'),
};
void runProgram(args, terminal, '0.1.0').then((code) => {
  process.exitCode ??= code;
});
