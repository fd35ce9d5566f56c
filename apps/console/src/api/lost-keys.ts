const maxKept = 50;

/**
 * Idempotency keys of requests that have no answer yet. A person sends a request again when its answer is lost: it
 * takes the same key, so the service answers what it has done instead of doing it twice.
 */
export class LostKeys {
  private readonly keys = new Map<string, string>();

  /** Returns the key of an equal request without an answer, else `fresh`. */
  of(request: string, fresh: string): string {
    const key = this.keys.get(request) ?? fresh;
    this.keys.delete(request);
    this.keys.set(request, key);
    for (const oldest of this.keys.keys()) {
      if (this.keys.size <= maxKept) break;
      this.keys.delete(oldest);
    }
    return key;
  }

  /** Takes the status of an answer; 0: there was none. After an answer an equal request is a new one. */
  answered(request: string, status: number): void {
    // The service is still at work on a key in use, and has not begun a throttled request.
    if (status !== 0 && status < 500 && status !== 409 && status !== 429) this.keys.delete(request);
  }
}

export const lostKeys = new LostKeys();

export const keyHeader = 'Idempotency-Key';
