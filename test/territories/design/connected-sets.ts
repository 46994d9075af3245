/** Lists the sets of ZIP codes that could be a territory: connected, balanced, and with a short border. */

export interface Graph {
  /** The neighbors of each node */
  neighbors: readonly (readonly { node: number; km: number }[])[];
  /** The amount of each node */
  loads: readonly number[];
}

export interface Limits {
  low: number;
  high: number;
  /** Longest border with the rest of the map, in kilometers */
  mostKm: number;
}

/**
 * Calls `found` once for each connected set within the limits. One after another, each node next to the set joins
 * it or is excluded. Edges between the set and excluded nodes are border, so most sets with long borders are never
 * reached.
 * @param found receives flags by node (1: in the set), and returns the new longest border
 */
export function eachConnectedSet(
  { neighbors, loads }: Graph,
  { low, high, mostKm }: Limits,
  found: (inSet: Uint8Array, km: number) => number,
): void {
  const nodes = loads.length;
  const inSet = new Uint8Array(nodes);
  const isOut = new Uint8Array(nodes);
  /** Length of each node's edges to the set, and to excluded nodes */
  const toSet = new Float64Array(nodes);
  const toOut = new Float64Array(nodes);
  let most = mostKm;
  const mark = (i: number, flags: Uint8Array, lengths: Float64Array, sign: 1 | -1) => {
    flags[i] = sign === 1 ? 1 : 0;
    for (const { node, km } of neighbors[i]!) lengths[node]! += sign * km;
  };

  const extend = (load: number, km: number, free: number): void => {
    if (load + free < low) return;
    let least = km;
    let next = -1;
    for (let i = 0; i < nodes; i++) {
      if (inSet[i] || isOut[i] || toSet[i]! < ROUNDING_KM) continue;
      least += Math.min(toSet[i]!, toOut[i]!);
      // The next decision is about the node with the longest edges to the set and to excluded nodes.
      if (next < 0 || toSet[i]! + toOut[i]! > toSet[next]! + toOut[next]!) next = i;
    }
    if (least > most + ROUNDING_KM) return;
    if (next < 0) {
      if (load >= low) most = found(inSet, km);
      return;
    }
    const more = loads[next]!;
    if (load + more <= high) {
      mark(next, inSet, toSet, 1);
      extend(load + more, km + toOut[next]!, free - more);
      mark(next, inSet, toSet, -1);
    }
    mark(next, isOut, toOut, 1);
    extend(load, km + toSet[next]!, free - more);
    mark(next, isOut, toOut, -1);
  };

  let free = loads.reduce((sum, load) => sum + load, 0);
  // Sets with the first node, then those without it but with the second, and so on
  for (let start = 0; start < nodes; start++) {
    free -= loads[start]!;
    mark(start, inSet, toSet, 1);
    extend(loads[start]!, toOut[start]!, free);
    mark(start, inSet, toSet, -1);
    mark(start, isOut, toOut, 1);
  }
}

/** Sums of lengths are inexact. */
const ROUNDING_KM = 1e-6;
