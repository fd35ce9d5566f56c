import fs from 'node:fs';
import path from 'node:path';

const keptBytes = 20 * 1024 * 1024;
const chunkBytes = 64 * 1024;

/** Opens a log file to append to; only its owner reads it, also when it was made with another mode. */
export function openLog(file) {
  const descriptor = fs.openSync(file, 'a', 0o600);
  fs.fchmodSync(descriptor, 0o600);
  return descriptor;
}

/**
 * A log file that a process writes itself and this one follows. A file and not a pipe: the writer neither waits for the
 * reader nor notices its end.
 */
export class LogFile {
  #file;
  #offset;
  #rest = '';
  #timer = null;
  #onLine;

  /** @param {string} file @param {(line: string) => void} onLine */
  constructor(file, onLine) {
    this.#file = file;
    this.#onLine = onLine;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (fs.existsSync(file)) fs.chmodSync(file, 0o600);
    if (fs.existsSync(file) && fs.statSync(file).size > keptBytes) fs.renameSync(file, `${file}.1`);
    this.#offset = fs.existsSync(file) ? fs.statSync(file).size : 0;
  }

  /**
   * Opens a descriptor for a process; the caller closes its copy. An unfinished line of the last process is dropped.
   */
  openForWriting() {
    this.#rest = '';
    return openLog(this.#file);
  }

  /** Reads what is new, now and then every `intervalMs`. */
  follow(intervalMs) {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.read(), intervalMs);
    this.#timer.unref();
  }

  /** Nothing is new in a file that is gone; one that was emptied is read from its beginning. */
  read() {
    if (!fs.existsSync(this.#file)) return;
    const descriptor = fs.openSync(this.#file, 'r');
    try {
      if (fs.fstatSync(descriptor).size < this.#offset) [this.#offset, this.#rest] = [0, ''];
      const chunk = Buffer.alloc(chunkBytes);
      for (;;) {
        const length = fs.readSync(descriptor, chunk, 0, chunkBytes, this.#offset);
        if (length === 0) return;
        this.#offset += length;
        const lines = (this.#rest + chunk.toString('utf8', 0, length)).split('\n');
        this.#rest = lines.pop();
        for (const line of lines) this.#onLine(line);
      }
    } finally {
      fs.closeSync(descriptor);
    }
  }

  close() {
    clearInterval(this.#timer);
  }
}
