import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** The fields of /proc/<pid>/stat after the name: state first. Null when there is no such process. */
function linuxStat(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Returns whether a process runs. A zombie, which has ended but was not waited for, does not. */
export function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (process.platform === 'linux') return !['Z', 'X', undefined].includes(linuxStat(pid)?.[0]);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Returns a text that tells a process from every other that has ever had its id, or null when it does not run.
 * A process id alone is not enough: ids are reused, and at once after a reboot or in a new container.
 */
export function processIdentity(pid) {
  if (!isAlive(pid)) return null;
  if (process.platform === 'linux')
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${linuxStat(pid)?.[19]}`;
  if (process.platform === 'win32') return 'alive';
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 && ps.stdout.trim() !== '' ? ps.stdout.trim() : null;
}

/** The command line of a process, or null when it cannot be read. */
export function commandLine(pid) {
  if (process.platform === 'linux') {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return null;
    }
  }
  if (process.platform === 'win32') return null;
  const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout : null;
}

/** Sends a signal to a process and, if it leads one, to its whole group. A process that is gone is fine. */
export function signalGroup(pid, signal) {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid]) {
    try {
      process.kill(target, signal);
      return true;
    } catch (error) {
      if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
    }
  }
  return false;
}
