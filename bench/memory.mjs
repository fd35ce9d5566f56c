import fs from 'node:fs';

/** The text of a file of the system; empty when there is none (any more). */
export const read = (file) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Peak resident set of a running process in MiB; null where the system does not report it (not Linux). */
export function peakMiB(pid) {
  const peak = /VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`));
  return peak ? Math.round(Number(peak[1]) / 1024) : null;
}

export const childrenOf = (pid) =>
  read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);

const sampleMs = 500;

/**
 * Follows processes and their children, which come and go, and keeps the largest peak of each kind.
 *
 * @param {() => { name: string, pid: number }[]} roots Named processes; their children count under the name with "
 *   child".
 */
export function watchMemory(roots) {
  const peaks = new Map();
  const note = (name, pid) => {
    const peak = peakMiB(pid);
    if (peak !== null) peaks.set(name, Math.max(peaks.get(name) ?? 0, peak));
  };
  const sample = () => {
    for (const { name, pid } of roots()) {
      note(name, pid);
      for (const child of childrenOf(pid)) note(`${name}, child`, child);
    }
  };
  const timer = setInterval(sample, sampleMs);
  return {
    peaks: () => {
      sample();
      return [...peaks].map(([name, mib]) => ({ name, mib }));
    },
    stop: () => clearInterval(timer),
  };
}
