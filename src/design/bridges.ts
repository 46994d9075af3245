/** Connects the separate parts of a map, such as islands, by their nearest ZIP codes. */
import Flatbush from 'flatbush';

export interface Bridge {
  from: number;
  to: number;
  km: number;
}

/**
 * Returns the shortest connections that make the map one, found as Borůvka's minimum spanning tree: each
 * part is connected with the nearest other one, until there is one part.
 */
export function findBridges(
  x: Float64Array,
  y: Float64Array,
  pairs: Iterable<readonly [number, number]>,
): Bridge[] {
  const nodes = x.length;
  const parent = Int32Array.from({ length: nodes }, (_, i) => i);
  const partOf = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  for (const [a, b] of pairs) parent[partOf(a)] = partOf(b);
  const bridges: Bridge[] = [];
  if (nodes < 2) return bridges;
  const index = new Flatbush(nodes);
  for (let i = 0; i < nodes; i++) index.add(x[i]!, y[i]!);
  index.finish();

  for (;;) {
    const sizes = new Map<number, number>();
    for (let i = 0; i < nodes; i++) sizes.set(partOf(i), (sizes.get(partOf(i)) ?? 0) + 1);
    if (sizes.size === 1) return bridges;
    const largest = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    const nearest = new Map<number, Bridge>();
    for (let from = 0; from < nodes; from++) {
      const part = partOf(from);
      // The largest part need not look for the others: they find it.
      if (part === largest) continue;
      const best = nearest.get(part);
      const [to] = index.neighbors(
        x[from]!,
        y[from]!,
        1,
        best?.km ?? Infinity,
        (i) => partOf(i) !== part,
      );
      if (to === undefined) continue;
      const km = Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!);
      if (!best || km < best.km) nearest.set(part, { from, to, km });
    }
    for (const bridge of nearest.values()) {
      if (partOf(bridge.from) === partOf(bridge.to)) continue;
      parent[partOf(bridge.from)] = partOf(bridge.to);
      bridges.push(bridge);
    }
  }
}
