/**
 * Those that are there, where many come and go all the time. A Set is made anew every few changes, and each old one holds on to what was in
 * it and to the next one, so that hardly anything of it is collected while it is young.
 */
export class SlotSet<T> implements Iterable<T> {
  private readonly places: (T | undefined)[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.places.length - this.free.length;
  }

  /** @returns its place, by which it leaves */
  add(one: T): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = one;
    return place;
  }

  remove(place: number): void {
    this.places[place] = undefined;
    this.free.push(place);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const one of this.places) if (one !== undefined) yield one;
  }
}
