import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { LogFile } from './log-file.mjs';
import { root } from './paths.mjs';
import { signalGroup } from './processes.mjs';

const firstBackoffMs = 500;
/** Without a limit the runtime lets garbage pile up to several times what a process needs. */
const heapMb = 256;
/** Size of the young generation. Each time it is full, the objects of open requests are copied. */
const youngMb = { api: 64 };
const maxBackoffMs = 30_000;
/** A process that lived this long has recovered: its next failure resets the backoff. */
const steadyMs = 60_000;
const startingReadMs = 50;
const runningReadMs = 500;
/** Matches a line, above or below a stack, in which the runtime says that a program cannot go on. */
const errorLine = /^(\w*Error|FATAL ERROR)\b/;

function parseLine(line) {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const describeExit = (code, signal) => (signal ? `by ${signal}` : `with code ${code}`);

/**
 * Keeps one process of the product running: starts it, waits for its "ready" line, starts it again with backoff when it
 * dies, and stops it within a deadline. Its output goes to a log file; its errors also to the terminal.
 */
export class ServiceProcess {
  #options;
  #child = null;
  #exited = Promise.resolve();
  #stopping = false;
  #backoffMs = firstBackoffMs;
  #retry = null;
  #lastLines = [];
  #lastError = null;
  #log;
  #onLine = () => undefined;

  /**
   * @param {{ name: string, file: string, env: Record<string, string>, logFile: string, register: { add(pid: number):
   *   void, remove(pid: number): void }, say: (line: string) => void }} options
   */
  constructor(options) {
    this.#options = options;
    this.#log = new LogFile(options.logFile, (line) => this.#onLine(line));
  }

  get name() {
    return this.#options.name;
  }

  /** Starts the process and resolves with its "ready" line. Rejects when it ends first or is not ready in time. */
  start(timeoutMs) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#failure(`is not ready after ${timeoutMs / 1000} s`)), timeoutMs);
      this.#spawn({
        onReady: (line) => {
          clearTimeout(timer);
          resolve(line);
        },
        onEnd: (how) => {
          clearTimeout(timer);
          reject(this.#failure(`ended ${how} before it was ready`));
        },
      });
    });
  }

  #failure(what) {
    const detail = this.#lastLines.map((line) => `  ${line}`).join('\n');
    return new Error(`${this.name} ${what}. Its log: ${this.#options.logFile}\n${detail}`);
  }

  #spawn({ onReady, onEnd }) {
    const { file, env, register } = this.#options;
    const startedAt = Date.now();
    const output = this.#log.openForWriting();
    // The IPC channel shows the process that this launcher was killed. The process leads a group of its own: Ctrl-C
    // reaches only the launcher, which stops the processes in order, and kills their helpers too when one hangs.
    const flags = [
      '--enable-source-maps',
      `--max-old-space-size=${heapMb}`,
      ...(this.name in youngMb ? [`--max-semi-space-size=${youngMb[this.name]}`] : []),
    ];
    const child = spawn(process.execPath, [...flags, file], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output, 'ipc'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    fs.closeSync(output);
    this.#child = child;
    this.#lastError = null;
    let ready = false;
    this.#onLine = (line) => {
      const entry = parseLine(line);
      if (entry?.msg === 'ready' && !ready) {
        ready = true;
        this.#log.follow(runningReadMs);
        onReady(entry);
      } else this.#notice(line, entry, ready);
    };
    this.#log.follow(startingReadMs);
    child.on('error', (error) => this.#notice(error.message, null, ready));
    this.#exited = new Promise((resolve) => {
      // Unlike 'exit', 'close' also comes when the program could not be started.
      child.on('close', (code, signal) => {
        if (child.pid) register.remove(child.pid);
        this.#child = null;
        this.#log.read();
        resolve();
        if (this.#stopping) return;
        if (ready) this.#restart(`ended unexpectedly ${describeExit(code, signal)}`, Date.now() - startedAt);
        else onEnd(describeExit(code, signal));
      });
    });
    if (child.pid) register.add(child.pid);
  }

  #notice(line, entry, ready) {
    const level = entry?.level ?? '';
    const text = entry ? [entry.msg, entry.reason ?? entry.err?.message].filter(Boolean).join(': ') : line;
    this.#lastLines = [...this.#lastLines, text].slice(-12);
    const serious = level === 'error' || level === 'fatal' || (typeof level === 'number' && level >= 50);
    if (serious || (!entry && errorLine.test(line))) this.#lastError = text;
    if (ready && serious && !this.#stopping) this.#options.say(`[${this.name}] ${text}`);
  }

  #restart(what, livedMs) {
    if (livedMs >= steadyMs) this.#backoffMs = firstBackoffMs;
    const delayMs = this.#backoffMs;
    this.#backoffMs = Math.min(delayMs * 2, maxBackoffMs);
    this.#options.say(`${this.name} ${what}; starting it again in ${delayMs / 1000} s`);
    this.#retry = setTimeout(() => {
      try {
        this.#spawn({
          onReady: () => this.#options.say(`${this.name} is running again`),
          // The terminal already has the errors after "ready", but not the earlier ones.
          onEnd: (how) =>
            this.#restart(
              `ended unexpectedly ${how} (${this.#lastError ?? this.#lastLines.at(-1) ?? 'it said nothing'})`,
              0,
            ),
        });
      } catch (error) {
        this.#restart(`could not be started: ${error.message}`, 0);
      }
    }, delayMs);
  }

  /** Asks the process to stop, and kills it and its helpers when the time is up. */
  async stop(timeoutMs) {
    this.#stopping = true;
    clearTimeout(this.#retry);
    const child = this.#child;
    if (child?.pid) {
      child.kill('SIGTERM');
      const hard = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), timeoutMs);
      await this.#exited;
      clearTimeout(hard);
    }
    this.#log.close();
  }
}
