import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { exitCodes, type CommandError } from '../failure';

/** The output streams of a command: results go to `out`, progress and messages to `err`. */
export interface Terminal {
  in: Readable & { isTTY?: boolean };
  out: Writable & { isTTY?: boolean; columns?: number };
  err: Writable & { isTTY?: boolean; columns?: number };
  /** Lets a command end itself at the next interrupt; without it, an interrupt ends the process. */
  onInterrupt: (stop: () => void) => void;
  /** The program of the second thread of a comparison. Default: none. */
  helper?: string;
  /** Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The output goes nowhere: its reader has gone, as after `| head`, or its disk is full. `endOnFaults` reports it. */
export class ReaderGoneError extends Error {}

/** Writes chunks no faster than they are taken. @throws ReaderGoneError */
export async function writeAll(
  to: Writable,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  for await (const chunk of chunks) {
    if (to.destroyed || to.errored) throw new ReaderGoneError();
    if (to.write(chunk)) continue;
    const gone = new AbortController();
    try {
      await Promise.race([
        once(to, 'drain', { signal: gone.signal }),
        once(to, 'close', { signal: gone.signal }).then(() => {
          throw new ReaderGoneError();
        }),
      ]);
    } catch (error) {
      throw new ReaderGoneError('', { cause: error });
    } finally {
      gone.abort();
    }
  }
}

export const isReaderGone = (error: unknown): boolean =>
  error instanceof ReaderGoneError ||
  ['EPIPE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/**
 * Ends a command whose output goes nowhere, with a code that is no result of it: quietly where the reader has left,
 * such as `head`, and with the reason where there is no room.
 */
export function endOnFaults(
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  exit: (code: number) => void,
  args: readonly string[],
): void {
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) return exit(exitCodes.readerGone);
    err.write(errorText({ message: `the output cannot be written (${error.code ?? error.message})` }, args));
    return exit(exitCodes.failed);
  });
  err.on('error', (error) => exit(isReaderGone(error) ? exitCodes.readerGone : exitCodes.failed));
}

/** A value as JSON that people can read too. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Formats the error of a command, as JSON where its arguments ask for that. */
export function errorText(
  { message, details = [], answer }: { message: string } & Partial<Pick<CommandError, 'details' | 'answer'>>,
  args: readonly string[],
): string {
  if (args.includes('--json')) {
    const { requestId, ...told } = answer ?? {};
    return jsonText({ error: { message, details, ...told, request_id: requestId } });
  }
  const lines = [`tieout: ${shownText(message, 4_000)}`, ...details.map((detail) => `  ${shownText(detail, 1_000)}`)];
  return lines.map((line) => `${line}\n`).join('');
}

const barWidth = 24;
const minRedrawMs = 80;

/** Shows the share of the work that is done, on a terminal only. */
export class ProgressBar {
  private drawnMs = 0;
  private label = '';
  private isDrawn = false;

  constructor(private readonly to: Terminal['err']) {}

  /** `share` is NaN where it is not known. */
  show(label: string, share: number): void {
    if (this.to.isTTY !== true) return;
    const nowMs = performance.now();
    if (label === this.label && nowMs - this.drawnMs < minRedrawMs && share < 1) return;
    this.drawnMs = nowMs;
    this.label = label;
    this.isDrawn = true;
    const known = Number.isFinite(share);
    const filled = known ? Math.round(Math.min(1, share) * barWidth) : 0;
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
    this.to.write(`\r\u001b[2K${label.padEnd(14)} ${bar}${known ? ` ${Math.floor(Math.min(1, share) * 100)} %` : ''}`);
  }

  clear(): void {
    if (this.isDrawn) this.to.write('\r\u001b[2K');
    this.isDrawn = false;
  }
}

/** Matches characters that a terminal takes for a command, and those that break a line. */
const control = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes a text of a record safe to show on a terminal, in one line. */
export function shownText(value: unknown, maxLength = 40): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const safe = text.replace(control, ' ');
  return safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe;
}

/** Makes lines that quote names and records safe to show on a terminal. */
export const shownLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(control, ' '))
    .join('\n');

/** Lays out rows in columns; numbers stand at the right. */
export function columnsOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)));
  const widths = header.map((title, at) => Math.max(title.length, ...texts.map((row) => (row[at] ?? '').length)));
  const isRight = header.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (isRight[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [...(header.some((title) => title !== '') ? [line(header)] : []), ...texts.map(line)]
    .map((text) => `${text}\n`)
    .join('');
}
