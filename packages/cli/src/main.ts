import path from 'node:path';
import { endOnFaults } from './output/print';
import { runProgram } from './program';

const { stdin, stdout, stderr } = process;

const args = process.argv.slice(2);
endOnFaults({ out: stdout, err: stderr }, (code) => process.exit(code), args);

const interrupts = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
let stop: (() => void) | undefined;
for (const [signal, number] of Object.entries(interrupts))
  process.on(signal, () => {
    if (stop === undefined) process.exit(128 + number);
    stop();
    stop = undefined;
  });

const terminal = {
  in: stdin,
  out: stdout,
  err: stderr,
  onInterrupt: (onStop: () => void) => (stop = onStop),
  helper: path.join(__dirname, 'helper.js'),
};
void runProgram(args, terminal, '0.1.0').then((code) => {
  process.exitCode = code;
});
