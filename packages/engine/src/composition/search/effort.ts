/** The nodes of one search: what it has visited, and where the step at hand and the whole of it have to end. */
export class Effort {
  nodes = 0;
  limit = 0;
  maxNodes = 0;

  get isSpent(): boolean {
    return this.nodes >= this.limit;
  }

  get isExhausted(): boolean {
    return this.nodes >= this.maxNodes;
  }
}
