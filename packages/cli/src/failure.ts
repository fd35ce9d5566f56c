/** Tells the user what is wrong and how to mend it; it is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    /** Further lines, such as the faults of a rule set. */
    readonly details: readonly string[] = [],
    /** The error answer of the service, if it caused the failure. */
    readonly answer?: { status: number; code: string; requestId: string | undefined },
  ) {
    super(message);
  }
}

/** Tells why a file is not read: it is missing, or it cannot be read. */
export function unreadable(file: string, error: unknown): CommandError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new CommandError(`${file}: ${faultsOfReading[code] ?? `it cannot be read (${code})`}`);
}

const faultsOfReading: Record<string, string | undefined> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is not a file but a folder; name a file in it',
  EACCES: 'you may not read it',
};

/** Returns whether an error says that there is no such file: any other one may hide a file. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The exit code of a command whose reader has left: that of a process that SIGPIPE ends, and no result. */
export const exitCodes = { tied: 0, open: 1, failed: 2, readerGone: 141 } as const;
