import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';

export interface Restart {
  /**
   * Default: fast. `immediate` is what a crash does: the server recovers from its log, and unlogged tables are empty.
   */
  mode?: 'fast' | 'immediate';
  /** Time the server stays down. */
  downMs?: number;
}

/** A PostgreSQL of one's own, with the template of test databases, to be restarted at will. */
export interface OwnPostgres {
  url: string;
  /** Ends every connection, and is back on the same port with all that was committed. */
  restart(how?: Restart): Promise<void>;
  close(): Promise<void>;
}

const script = path.join(__dirname, '..', '..', 'scripts', 'test-server.mjs');

/**
 * @param options.durable It keeps what was committed in a crash, too.
 * @param options.bin The folder of its programs; default: those from npm
 */
export async function startPostgres({
  durable = false,
  bin,
}: { durable?: boolean; bin?: string | undefined } = {}): Promise<OwnPostgres> {
  const server = spawn(process.execPath, [script, ...(durable ? ['--durable'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...(bin === undefined ? {} : { POSTGRES_BIN: bin }) },
  });
  const [line] = (await once(readline.createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ];
  return {
    url: line.replace(/^TEST_DATABASE_URL=/, ''),
    restart: async (how = {}) => {
      const restarted = once(server, 'message');
      server.send(how);
      await restarted;
    },
    close: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
    },
  };
}
