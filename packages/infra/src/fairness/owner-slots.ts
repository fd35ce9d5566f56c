/**
 * The longest spacing between the returns of two jobs of an owner. Jobs return about as fast as the owner's slots are
 * released, which is estimated by how long a running job has taken so far.
 */
export const maxSpacingMs = 100;
const minSpacingMs = 25;

/**
 * Spaces the returns of waiting jobs of an owner: returning together, they would keep a slot busy with being sent back.
 */
export class SpacedReturns {
  private readonly lastMs = new Map<string, number>();

  /** Gives the time until the next job of the owner returns. */
  next(owner: string, spacingMs: number, { minMs = spacingMs, maxMs = Infinity } = {}): number {
    const nowMs = performance.now();
    const spacedMs = (this.lastMs.get(owner) ?? 0) + spacingMs;
    const returnMs = Math.min(Math.max(nowMs + minMs, spacedMs), nowMs + maxMs);
    this.lastMs.set(owner, returnMs);
    return Math.ceil(returnMs - nowMs);
  }

  /** Forgets the owner unless some of its jobs have yet to return, because the next job is placed after them. */
  forgetPast(owner: string): void {
    if ((this.lastMs.get(owner) ?? 0) <= performance.now()) this.lastMs.delete(owner);
  }
}

/** Limits the slots that each owner holds at a time. */
export class OwnerSlots {
  private readonly owners = new Map<string, { held: number; acquiredMs: number }>();
  private readonly returns = new SpacedReturns();

  constructor(private readonly maxPerOwner: number) {}

  isFull(owner: string): boolean {
    return (this.owners.get(owner)?.held ?? 0) >= this.maxPerOwner;
  }

  /** Acquires a slot. @returns 0, or the time to wait when the owner holds all of its slots */
  acquire(owner: string): number {
    if (this.isFull(owner)) return this.waitMs(owner);
    const held = this.owners.get(owner)?.held ?? 0;
    this.owners.set(owner, { held: held + 1, acquiredMs: performance.now() });
    return 0;
  }

  /** Gives the time after which a waiting job of the owner should try again. */
  waitMs(owner: string): number {
    const slots = this.owners.get(owner);
    if (!slots) return 0;
    const heldMs = performance.now() - slots.acquiredMs;
    return this.returns.next(owner, Math.min(Math.max(heldMs, minSpacingMs), maxSpacingMs));
  }

  release(owner: string): void {
    const slots = this.owners.get(owner);
    if (!slots) return;
    slots.held--;
    if (slots.held > 0) return;
    this.owners.delete(owner);
    this.returns.forgetPast(owner);
  }
}
