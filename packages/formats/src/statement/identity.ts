import { hash } from 'node:crypto';

/** Identities kept to number equal ones; a statement with more of them starts again. */
const maxKept = 100_000;
/** Characters of an identity; a longer one becomes a hash. */
const maxChars = 256;

const shortNumber = /^\d{1,9}$/;

type Part = string | number | null;

/**
 * Makes identities of the ids that banks give to transactions. Some banks give one id to several transactions of a
 * statement: these are numbered, so that none takes the place of another.
 */
export class Identities {
  private readonly counts = new Map<string, number>();

  /** `onRepeat` learns of an id that a statement has more than once. */
  constructor(private readonly onRepeat: (id: string) => void = () => undefined) {}

  beginStatement(): void {
    this.counts.clear();
  }

  /**
   * Returns the identity of the next transaction. `context` is what the id needs to be unique; a mere number also needs
   * the day, since some banks begin with 1 in every file.
   */
  next(id: string, context: readonly Part[], day: Part): string {
    const text = JSON.stringify([...context, ...(shortNumber.test(id) ? [day] : []), id]);
    const key = text.length > maxChars ? hash('sha256', text, 'hex') : text;
    const count = (this.counts.get(key) ?? 0) + 1;
    if (this.counts.size >= maxKept) this.counts.clear();
    this.counts.set(key, count);
    if (count === 1) return key;
    this.onRepeat(id);
    return `${key}#${count}`;
  }
}
