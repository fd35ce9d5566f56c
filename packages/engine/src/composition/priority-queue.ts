/** Binary heap that returns the smallest item first. Equal items leave in an arbitrary but deterministic order. */
export class PriorityQueue<T> {
  private readonly heap: T[] = [];

  constructor(private readonly compare: (one: T, other: T) => number) {}

  push(item: T): void {
    const { heap } = this;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(heap[parent] as T, item) <= 0) break;
      heap[at] = heap[parent] as T;
      at = parent;
    }
    heap[at] = item;
  }

  pop(): T | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (this.heap.length > 0) this.sink(last as T);
    return first;
  }

  private sink(item: T): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.compare(heap[child + 1] as T, heap[child] as T) < 0) child++;
      if (this.compare(item, heap[child] as T) <= 0) break;
      heap[at] = heap[child] as T;
      at = child;
    }
    heap[at] = item;
  }
}
