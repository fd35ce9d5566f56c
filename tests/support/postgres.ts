import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';

/** A PostgreSQL of one's own, with the template of test databases, to be restarted at will. */
export interface OwnPostgres {
  url: string;
  /** Ends every connection, and is back on the same port with all that was committed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const script = path.join(__dirname, '..', '..', 'scripts', 'test-server.mjs');

export async function startPostgres(): Promise<OwnPostgres> {
  const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(readline.createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line')) as [string];
  return {
    url: line.replace(/^TEST_DATABASE_URL=/, ''),
    restart: async () => {
      const restarted = once(server, 'message');
      server.send('restart');
      await restarted;
    },
    close: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
    },
  };
}
