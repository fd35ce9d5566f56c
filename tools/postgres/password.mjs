import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { asUser } from './programs.mjs';
import { keptSecret, newPassword } from '../secrets.mjs';

const fileName = 'database-password';
const method = 'scram-sha-256';

export const passwordFile = (directory) => path.join(directory, fileName);

/** Options of initdb that require the password of every user, including other users of this machine. */
export const passwordArguments = (file) => ['-A', method, `--pwfile=${file}`];

/** The password of the database over `directory`, made at the first call. */
export const keptPassword = (directory) => keptSecret(directory, fileName, newPassword);

export const hasPassword = (directory) => fs.existsSync(passwordFile(directory));

/** Gives `use` a file with the password that only the server's user reads; it is gone afterwards. */
export function withPasswordFile(password, { state, user }, use) {
  const file = path.join(state, 'initdb-password');
  fs.rmSync(file, { force: true });
  try {
    fs.writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
    if (user) fs.chownSync(file, user.uid, user.gid);
    return use(file);
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/**
 * Gives a stopped server over existing data a new password: its file was lost, or the data was made without one.
 * Write access to the data directory is enough for it.
 */
export function replacePassword({ programs, data, user, directory }, superuser) {
  const password = newPassword();
  const result = spawnSync(programs.program('postgres'), ['--single', '-D', data, 'postgres'], {
    ...asUser(user, data),
    input: `alter role ${superuser} password '${password}'\n`,
    encoding: 'utf8',
  });
  if (result.status !== 0 || /ERROR:/.test(result.stderr)) {
    throw new Error(
      `PostgreSQL could not take a new password for ${data}:\n${(result.stderr || result.error?.message || '').trim()}`,
    );
  }
  // Written over in place: the file stays the server user's own.
  const hosts = ['local all all', 'host all all 127.0.0.1/32', 'host all all ::1/128'];
  fs.writeFileSync(path.join(data, 'pg_hba.conf'), hosts.map((host) => `${host} ${method}\n`).join(''));
  keptSecret(directory, fileName, () => password);
}
