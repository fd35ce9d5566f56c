/** The nodes of one search: what it has visited, and where the step at hand has to end. */
export class Effort {
  nodes = 0;
  limit = 0;

  get isSpent(): boolean {
    return this.nodes >= this.limit;
  }
}
