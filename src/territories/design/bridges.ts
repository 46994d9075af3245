/** Connects the separate parts of a map, such as islands, by their nearest ZIP codes. */
import Flatbush from 'flatbush';
import { UnionFind } from '../../base/spatial/union-find.ts';
import type { DesignInput } from './input.ts';

interface Bridge {
  from: number;
  to: number;
  km: number;
}

const KM_PER_DEGREE = 111.32;

/** Returns positions on a plane in kilometers, with the true scale at the map's middle latitude. */
export function toPlane({ lng, lat }: Pick<DesignInput, 'lng' | 'lat'>): {
  x: Float64Array;
  y: Float64Array;
} {
  const middle = (lat.reduce((sum, one) => sum + one, 0) / lat.length) * (Math.PI / 180);
  return {
    x: lng.map((one) => one * KM_PER_DEGREE * Math.cos(middle)),
    y: lat.map((one) => one * KM_PER_DEGREE),
  };
}

/** Returns the bridges of a map without exclusions, as positions in its list of ZIP codes. */
export function bridgesOnMap(
  map: Pick<DesignInput, 'lng' | 'lat' | 'areasM2' | 'pairs'>,
): (readonly [number, number])[] {
  const { x, y } = toPlane(map);
  const pairs = Array.from(map.pairs.a, (a, i) => [a, map.pairs.b[i]!] as const);
  const bridges = findBridges(x, y, pairs, (i) => map.areasM2[i]! > 0);
  return bridges.map(({ from, to }) => [from, to]);
}

/** Connections of each ZIP code without a boundary. With one each, they would form a tree, which divides badly. */
const NEAREST = 4;

/**
 * Returns the connections that make the map a single part. First it connects each ZIP code without a boundary
 * to its nearest others. Then it connects each part to the nearest other part until a single one is left
 * (Borůvka's minimum spanning tree).
 */
export function findBridges(
  x: Float64Array,
  y: Float64Array,
  pairs: Iterable<readonly [number, number]>,
  hasBoundary: (i: number) => boolean,
): Bridge[] {
  const nodes = x.length;
  const parts = new UnionFind(nodes);
  const isAlone = new Uint8Array(nodes).fill(1);
  for (const [a, b] of pairs) {
    parts.join(a, b);
    isAlone[a] = isAlone[b] = 0;
  }
  const bridges: Bridge[] = [];
  if (nodes < 2) return bridges;
  const index = new Flatbush(nodes);
  for (let i = 0; i < nodes; i++) index.add(x[i]!, y[i]!);
  index.finish();
  const known = new Set<number>();
  for (let from = 0; from < nodes; from++) {
    if (!isAlone[from] || hasBoundary(from)) continue;
    for (const to of index.neighbors(x[from]!, y[from]!, NEAREST + 1)) {
      if (to === from || known.has(to * nodes + from)) continue;
      known.add(from * nodes + to);
      bridges.push({ from, to, km: Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!) });
      parts.join(from, to);
    }
  }

  for (;;) {
    const sizes = new Map<number, number>();
    for (let i = 0; i < nodes; i++) sizes.set(parts.root(i), (sizes.get(parts.root(i)) ?? 0) + 1);
    if (sizes.size === 1) return bridges;
    const largest = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    const nearest = new Map<number, Bridge>();
    for (let from = 0; from < nodes; from++) {
      const part = parts.root(from);
      // The largest part doesn't search: the others find it.
      if (part === largest) continue;
      const best = nearest.get(part);
      const [to] = index.neighbors(
        x[from]!,
        y[from]!,
        1,
        best?.km ?? Infinity,
        (i) => parts.root(i) !== part,
      );
      if (to === undefined) continue;
      const km = Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!);
      if (!best || km < best.km) nearest.set(part, { from, to, km });
    }
    for (const bridge of nearest.values()) {
      if (parts.root(bridge.from) === parts.root(bridge.to)) continue;
      parts.join(bridge.from, bridge.to);
      bridges.push(bridge);
    }
  }
}
