import { runProgram } from './program';

const { stdout, stderr } = process;

// A reader that leaves, such as `head`, is no failure: the command ends quietly.
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });

void runProgram(process.argv.slice(2), { out: stdout, err: stderr }, '0.1.0').then((code) => {
  process.exitCode = code;
});
