/** Tells the user what is wrong and how to mend it; it is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    /** Further lines, such as the faults of a rule set. */
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

export const exitCodes = { tied: 0, open: 1, failed: 2 } as const;
