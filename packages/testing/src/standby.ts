import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, lchown, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** A standby of a PostgreSQL server, which streams the log of that server and answers reads. */
export interface TestStandby {
  /** The address of the same database as the same user here. */
  urlOf(primaryUrl: string): string;
  /** Stops the replay of the log, and resolves when it stands; the log still arrives. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves when it answers. */
  start(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

interface PrimaryFacts {
  data: string;
  programs: string;
  maxConnections: string;
}

/** Files that a copy must not have: they belong to the running server, or the standby fetches them by itself. */
const leftOut = /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_stat_tmp|pg_dynshmem|pg_notify)\/.+|.*\/pgsql_tmp.*)$/;
const startTimeoutMs = 60_000;

/**
 * Copies a running server on this machine by the low-level interface for backups, and starts the copy as its standby.
 *
 * @param primaryUrl connects to the server as a superuser
 */
export async function startStandby(primaryUrl: string): Promise<TestStandby> {
  const primary = new Client({ connectionString: primaryUrl });
  await primary.connect();
  const facts = await factsOf(primary);
  const data = await mkdtemp(path.join(path.dirname(facts.data), 'standby-'));
  const slot = path.basename(data).replace(/\W/g, '_').toLowerCase();
  await primary.query('select pg_create_physical_replication_slot($1, true)', [slot]);
  await copyData(primary, facts.data, data);
  await follow(primaryUrl, { data, slot });
  await giveTo(facts.data, data);
  const port = await freePort();
  const urlOf = (url: string): string => Object.assign(new URL(url), { port: String(port) }).href;
  const server = new StandbyServer({ ...facts, data, port, url: urlOf(primaryUrl) });
  await server.start();
  const run = (sql: string) => server.run(sql);
  return {
    urlOf,
    pauseReplay: async () => {
      await run('select pg_wal_replay_pause()');
      await server.until(`select pg_get_wal_replay_pause_state() = 'paused' as done`);
    },
    resumeReplay: async () => void (await run('select pg_wal_replay_resume()')),
    kill: () => server.stop('SIGQUIT'),
    start: () => server.start(),
    promote: async () => {
      await run('select pg_promote()');
      await server.until('select not pg_is_in_recovery() as done');
    },
    close: async () => {
      await server.stop('SIGQUIT');
      await primary.query('select pg_drop_replication_slot($1)', [slot]);
      await primary.end();
      await rm(data, { recursive: true });
    },
  };
}

async function factsOf(primary: Client): Promise<PrimaryFacts> {
  const { rows } = await primary.query<PrimaryFacts>(
    `select current_setting('data_directory') as data, current_setting('max_connections') as "maxConnections",
            (select setting from pg_config where name = 'BINDIR') as programs`,
  );
  return rows[0] as PrimaryFacts;
}

async function copyData(primary: Client, from: string, to: string): Promise<void> {
  await primary.query(`select pg_backup_start('standby', fast => true)`);
  const isCopied = (file: string): boolean => !leftOut.test(path.relative(from, file));
  await cp(from, to, { recursive: true, filter: isCopied });
  const { rows } = await primary.query<{ label: string }>(
    'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
  );
  await writeFile(path.join(to, 'backup_label'), rows[0]?.label ?? '');
}

/** Makes the copy follow the server when it starts. */
async function follow(primaryUrl: string, { data, slot }: { data: string; slot: string }): Promise<void> {
  const { username, password, hostname, port } = new URL(primaryUrl);
  const connection = Object.entries({ user: username, password: decodeURIComponent(password), host: hostname, port });
  const settings = {
    primary_conninfo: connection.map(([name, value]) => `${name}=${value}`).join(' '),
    primary_slot_name: slot,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(path.join(data, 'postgresql.auto.conf'), lines.join(''), { flag: 'a' });
  await writeFile(path.join(data, 'standby.signal'), '');
}

/** Gives files to the owner of others: PostgreSQL refuses to run as root, and to read what is not its user's. */
async function giveTo(model: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(model);
  const files = await readdir(folder, { recursive: true });
  await Promise.all(files.map((file) => lchown(path.join(folder, file), uid, gid)));
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

class StandbyServer {
  private child: ChildProcess | undefined;

  constructor(private readonly facts: PrimaryFacts & { port: number; url: string }) {}

  async start(): Promise<void> {
    const { data, programs, port, maxConnections } = this.facts;
    const { uid, gid } = await stat(data);
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: maxConnections,
      fsync: 'off',
      wal_receiver_status_interval: '1s',
      // A conflict of the replay with a read ends the read at once.
      max_standby_streaming_delay: '0',
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = await open(path.join(data, 'standby.log'), 'a');
    const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...given], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
    });
    this.child = child;
    await once(child, 'spawn');
    await log.close();
    await this.until('select pg_is_in_recovery() as done');
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Runs a statement as the superuser. */
  async run<T extends object>(sql: string): Promise<T | undefined> {
    const client = new Client({ connectionString: this.facts.url, application_name: 'test' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows[0];
    } finally {
      await client.end();
    }
  }

  /** Resolves when the server answers and the statement gives true in its column `done`. */
  async until(sql: string): Promise<void> {
    const untilMs = Date.now() + startTimeoutMs;
    let last: unknown;
    while (this.child?.exitCode === null && Date.now() < untilMs) {
      try {
        last = await this.run<{ done: boolean }>(sql);
        if ((last as { done: boolean }).done) return;
      } catch (error) {
        last = error;
      }
      await pause(20);
    }
    throw new Error(`${sql}: ${String(last)}\n${await this.log()}`);
  }

  private log(): Promise<string> {
    return readFile(path.join(this.facts.data, 'standby.log'), 'utf8');
  }
}
