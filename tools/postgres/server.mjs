import { spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '../log-file.mjs';
import { freePort } from '../ports.mjs';
import { asUser, canEnter, findPrograms, serverUser } from './programs.mjs';
import {
  hasPassword,
  keptPassword,
  passwordArguments,
  passwordFile,
  replacePassword,
  withPasswordFile,
} from './password.mjs';
import { commandLine, isAlive } from '../processes.mjs';
import { waitFor } from '../wait.mjs';

const superuser = 'tieout';
const wrongPassword = '28P01';

const urlOf = (port, database, password) =>
  `postgresql://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Makes a directory that the server's user owns and can enter, or returns null. */
function stateDirectoryAt(directory, user) {
  try {
    const existed = fs.existsSync(directory);
    fs.mkdirSync(directory, { recursive: true, mode: 0o755 });
    if (!existed) fs.chmodSync(directory, 0o755);
  } catch (error) {
    if (error.code === 'EACCES' || error.code === 'EROFS') return null;
    throw error;
  }
  return canEnter(user, directory) ? directory : null;
}

/**
 * Gives the folder of the server's files: in `directory`, or, when the server's user cannot enter that (root's own
 * checkout), in their own place, whose path is kept in `directory` so that the next start finds the data again.
 */
function stateDirectory(directory, user, say) {
  fs.mkdirSync(directory, { recursive: true });
  const pointer = path.join(directory, 'postgres-location');
  if (fs.existsSync(pointer)) {
    const elsewhere = fs.readFileSync(pointer, 'utf8').trim();
    if (!stateDirectoryAt(elsewhere, user))
      throw new Error(`The database is in ${elsewhere}, which cannot be used by this user.`);
    return elsewhere;
  }
  if (stateDirectoryAt(directory, user)) return directory;
  const name = `tieout-${crypto.randomBytes(4).toString('hex')}`;
  const elsewhere =
    stateDirectoryAt(path.join('/var/lib', name), user) ?? stateDirectoryAt(path.join(os.tmpdir(), name), user);
  if (!elsewhere)
    throw new Error(`PostgreSQL cannot reach ${directory}; set DATA_DIR to a directory that every user can enter.`);
  fs.writeFileSync(pointer, `${elsewhere}\n`);
  say(`PostgreSQL does not run as root and cannot enter ${directory}: its data is in ${elsewhere}`);
  return elsewhere;
}

const isInitialised = (data) => fs.existsSync(path.join(data, 'PG_VERSION'));

function initialise({ programs, data, state, user, durable, password }) {
  // Made in a draft directory and renamed: a killed first start leaves nothing that resembles a database.
  const draft = `${data}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  if (user) fs.chownSync(draft, user.uid, user.gid);
  const locale =
    programs.major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8'];
  const args = ['-D', draft, '-U', superuser, '-E', 'UTF8', ...locale, ...(durable ? [] : ['--no-sync'])];
  const result = withPasswordFile(password, { state, user }, (file) =>
    spawnSync(programs.program('initdb'), [...args, ...passwordArguments(file)], {
      ...asUser(user, data),
      encoding: 'utf8',
    }),
  );
  if (result.status !== 0) {
    fs.rmSync(draft, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL could not make its data directory ${data}:\n${(result.stderr || result.error?.message || '').trim()}`,
    );
  }
  fs.rmSync(data, { recursive: true, force: true });
  fs.renameSync(draft, data);
}

/** Reads postmaster.pid; null: there is none. Lines: process id, data directory, start time, port. */
function pidFile(data) {
  try {
    const [pid, , , port] = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(pid), port: Number(port) };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Finds the server that already runs on this data directory, or null. */
function runningServer(data) {
  const found = pidFile(data);
  if (!found || !isAlive(found.pid)) return null;
  const command = commandLine(found.pid);
  if (command !== null && !command.includes('postgres')) {
    // The process id was given to another program since; PostgreSQL would refuse to start because of it.
    fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
    return null;
  }
  return found;
}

/** The port of a running server that lets us in, or null. */
async function adopt({ data, password }) {
  const found = runningServer(data);
  if (!found) return null;
  const accepted = await waitFor(async () => found.port && (await isServing(found.port, data, password)), {
    timeoutMs: 3_000,
  });
  return accepted ? found.port : null;
}

/** Makes the data and its password where they are missing, and returns the password. */
async function prepare(server) {
  const { data, directory } = server;
  if (isInitialised(data) && !hasPassword(directory)) {
    if (runningServer(data)) await stopServer(server, 8_000);
    replacePassword(server, superuser);
  }
  const password = keptPassword(directory);
  if (!isInitialised(data)) initialise({ ...server, password });
  return password;
}

async function withClient(url, use) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function isServing(port, data, password) {
  try {
    const directory = await withClient(
      urlOf(port, 'postgres', password),
      async (client) => (await client.query('show data_directory')).rows[0].data_directory,
    );
    return fs.realpathSync(directory) === fs.realpathSync(data);
  } catch (error) {
    if (error.code === wrongPassword) throw error;
    return false;
  }
}

const lastLines = (file, count) =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : '';

/** Small containers give 64 MiB of shared memory, which one parallel query can exceed; files do not run out so soon. */
function sharedMemoryType() {
  if (process.platform !== 'linux') return [];
  try {
    const { bsize, blocks } = fs.statfsSync('/dev/shm');
    return bsize * blocks < 512 * 1024 * 1024 ? ['-c', 'dynamic_shared_memory_type=mmap'] : [];
  } catch {
    return ['-c', 'dynamic_shared_memory_type=mmap'];
  }
}

function serverArguments(data, port, durable, maxConnections) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: maxConnections,
    max_wal_size: '2GB',
    // All writers would wait while a file of the log is filled with zeros, for a tenth of a second on a busy machine.
    wal_init_zero: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  return [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...sharedMemoryType(),
  ];
}

async function launch({ programs, data, user, logFile, durable, maxConnections, password }, samePort) {
  for (let attempt = 1; ; attempt++) {
    const port = samePort ?? (await freePort());
    const log = openLog(logFile);
    // Its own group: Ctrl-C reaches the launcher, which stops the database last. Its log is a file and not a pipe, so
    // that it outlives a launcher that is killed.
    const server = spawn(programs.program('postgres'), serverArguments(data, port, durable, maxConnections), {
      ...asUser(user, data),
      stdio: ['ignore', log, log],
      detached: true,
    });
    fs.closeSync(log);
    let ended = null;
    server.on('error', (error) => (ended = error.message));
    server.on('exit', (code, signal) => (ended ??= `exit ${code ?? signal}`));
    const ready = await waitFor(async () => ended !== null || (await isServing(port, data, password)), {
      timeoutMs: 60_000,
    });
    if (ready && ended === null) {
      server.unref();
      return port;
    }
    if (!ready) throw new Error(`PostgreSQL is not ready after 60 s. Its log: ${logFile}\n${lastLines(logFile, 10)}`);
    // Children of a killed server hold its shared memory for a moment, and a free port can be lost in a race.
    if (attempt >= 8)
      throw new Error(`PostgreSQL did not start (${ended}). Its log: ${logFile}\n${lastLines(logFile, 10)}`);
    await sleep(250 * attempt);
  }
}

/**
 * Ends the server, `fast`, or `immediate` as a crash would. One that has not ended within `timeoutMs` is ended hard: it
 * recovers at the next start.
 */
async function stopServer({ programs, data, user }, timeoutMs, mode = 'fast') {
  const control = (mode, seconds) =>
    new Promise((resolve) => {
      const args = ['stop', '-D', data, '-m', mode, '-w', '-s', '-t', String(seconds)];
      const child = spawn(programs.program('pg_ctl'), args, { ...asUser(user, data), stdio: 'ignore', detached: true });
      child.on('error', () => resolve(false));
      child.on('exit', (code) => resolve(code === 0));
    });
  const found = pidFile(data);
  if (!found || !isAlive(found.pid)) return;
  if (!(await control(mode, Math.max(1, Math.floor(timeoutMs / 1000))))) await control('immediate', 2);
}

async function adoptOrLaunch(server) {
  try {
    const running = await adopt(server);
    return running === null ? { running: false, port: await launch(server) } : { running: true, port: running };
  } catch (error) {
    if (error.code !== wrongPassword) throw error;
    await stopServer(server, 2_000);
    const file = passwordFile(server.directory);
    throw new Error(
      `PostgreSQL refuses the password in ${file}. Put the right one there, or delete the file to have a new one made.`,
      { cause: error },
    );
  }
}

function ownerOf(directory) {
  return fs.existsSync(directory) ? fs.statSync(directory).uid : undefined;
}

function existingData(directory) {
  const pointer = path.join(directory, 'postgres-location');
  const state = fs.existsSync(pointer) ? fs.readFileSync(pointer, 'utf8').trim() : directory;
  if (!fs.existsSync(state)) return undefined;
  const name = fs.readdirSync(state).find((entry) => /^pg\d+$/.test(entry));
  return name === undefined ? undefined : path.join(state, name);
}

/**
 * Starts a PostgreSQL server on the loopback address, or adopts the one that already runs on the same data. It asks
 * everyone for a password, which is kept in `directory` and part of `url(...)`.
 *
 * @param {object} options
 * @param {string} options.directory Where data and log go.
 * @param {boolean} [options.durable] false: no fsync, for data that may be lost (tests).
 * @param {number} [options.maxConnections]
 * @param {(line: string) => void} [options.say]
 * @returns {Promise<{ port: number, adopted: boolean, url: (database: string) => string, isRunning: () => boolean,
 *   restart: () => Promise<void>, stop: (timeoutMs?: number, mode?: 'fast' | 'immediate') => Promise<void> }>}
 *   `restart` starts a server that died again, on the same port; `stop` waits until it is down.
 */
export async function startPostgres({ directory, durable = true, maxConnections = 200, say = () => {} }) {
  const before = existingData(directory);
  const owner = before === undefined ? undefined : ownerOf(before);
  const user = serverUser(owner);
  const self = process.getuid?.();
  if (owner !== undefined && self !== undefined && self !== 0 && owner !== self) {
    throw new Error(
      `The database in ${before} belongs to another user (uid ${owner}). ` +
        'Start as that user, or set DATA_DIR to another directory.',
    );
  }
  const state = stateDirectory(directory, user, say);
  const programs = findPrograms(user, state);
  const data = path.join(state, `pg${programs.major}`);
  if (before !== undefined && before !== data) {
    throw new Error(
      `${before} was made by another major version of PostgreSQL; this one (${programs.major}) cannot read it.`,
    );
  }
  const logFile = path.join(directory, 'logs', 'postgres.log');
  fs.mkdirSync(path.dirname(logFile), { recursive: true });

  const files = { programs, data, directory, state, user, logFile, durable, maxConnections };
  const password = await prepare(files);
  const server = { ...files, password };
  const { running, port } = await adoptOrLaunch(server);
  return {
    port,
    adopted: running,
    url: (database) => urlOf(port, database, password),
    isRunning: () => isAlive(pidFile(data)?.pid ?? 0),
    restart: async () => {
      await launch(server, port);
    },
    stop: (timeoutMs = 8_000, mode = 'fast') => stopServer(server, timeoutMs, mode),
  };
}

/** Creates the database if the server has none of that name. */
export async function ensureDatabase(server, name) {
  await withClient(server.url('postgres'), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database "${name}"`);
  });
}
