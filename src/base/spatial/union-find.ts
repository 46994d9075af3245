/** Disjoint sets of numbers that can be joined: union-find with path halving. */
export class UnionFind {
  private readonly parents: Int32Array;

  constructor(count: number) {
    this.parents = Int32Array.from({ length: count }, (_, index) => index);
  }

  /** Keeps the lower root, so that a group's root is its first member. */
  join(a: number, b: number): void {
    const [first, second] = [this.root(a), this.root(b)];
    this.parents[Math.max(first, second)] = Math.min(first, second);
  }

  areJoined(a: number, b: number): boolean {
    return this.root(a) === this.root(b);
  }

  groups(): number[][] {
    const groups = new Map<number, number[]>();
    for (const index of this.parents.keys()) {
      const root = this.root(index);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [index]);
      else group.push(index);
    }
    return [...groups.values()];
  }

  /** The lowest number of the same set */
  root(index: number): number {
    const { parents } = this;
    while (parents[index] !== index) {
      parents[index] = parents[parents[index]!]!;
      index = parents[index]!;
    }
    return index;
  }
}
