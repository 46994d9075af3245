/**
 * Proven optima of small designs, by HiGHS: the shortest borders with every sum within the tolerance and
 * every territory connected. Connectivity is added as needed: if a result has a separate piece, one of the
 * ZIP codes around the piece must join it (Validi, Buchanan, and Lykhovyd, Operations Research 70, 2022).
 */
import highs from 'highs';
import type { DesignInput } from '../../src/design/input.ts';

// The package declares the types of its ES module as those of CommonJS.
const solver = (highs as unknown as typeof highs.default)();

/** @returns the length in kilometers; null if no design is within the tolerance, or none is proven in time */
export async function shortestBorders(
  input: DesignInput,
  { count, tolerance, seconds = 60 }: { count: number; tolerance: number; seconds?: number },
): Promise<number | null> {
  const { solve } = await solver;
  const { zips, pairs, measures } = input;
  const values = measures[0]!.values;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const x = (i: number, t: number) => `x${i}_${t}`;
  const territories = Array.from({ length: count }, (_, t) => t);
  const rows: string[] = [];
  for (const i of zips.keys()) rows.push(`${territories.map((t) => x(i, t)).join(' + ')} = 1`);
  for (const t of territories) {
    const sum = zips.map((_, i) => `${values[i]! / mean} ${x(i, t)}`).join(' + ');
    rows.push(`${sum} >= ${1 - tolerance}`, `${sum} <= ${1 + tolerance}`);
  }
  for (const [at, a] of pairs.a.entries())
    for (const t of territories)
      rows.push(
        `y${at} - ${x(a, t)} + ${x(pairs.b[at]!, t)} >= 0`,
        `y${at} + ${x(a, t)} - ${x(pairs.b[at]!, t)} >= 0`,
      );
  // Territories are interchangeable, so ZIP code i is in one of the first i + 1.
  const zero = territories.flatMap((t) => Array.from({ length: t }, (_, i) => `${x(i, t)} = 0`));
  const neighbors = zips.map((): number[] => []);
  for (const [at, a] of pairs.a.entries()) {
    neighbors[a]!.push(pairs.b[at]!);
    neighbors[pairs.b[at]!]!.push(a);
  }
  const binaries = zips.flatMap((_, i) => territories.map((t) => x(i, t))).join(' ');
  const lengths = Array.from(pairs.bordersM, (m, at) => `${m / 1000} y${at}`).join(' + ');
  const end = Date.now() + 1000 * seconds;

  for (;;) {
    const { Status, Columns, ObjectiveValue } = solve(
      `Minimize\n obj: ${lengths}\nSubject To\n${[...rows, ...zero].map((row, r) => ` r${r}: ${row}`).join('\n')}\nBinary\n ${binaries}\nEnd`,
      { time_limit: Math.max(1, (end - Date.now()) / 1000), mip_rel_gap: 1e-4, output_flag: false },
    );
    if (Status !== 'Optimal') return null;
    const territoryOf = zips.map((_, i) =>
      territories.find((t) => (Columns[x(i, t)] as { Primal: number }).Primal > 0.5)!,
    );
    let isConnected = true;
    for (const t of territories) {
      const pieces = piecesOf(t, territoryOf, neighbors);
      for (const piece of pieces.slice(1)) {
        isConnected = false;
        const around = new Set(
          piece.flatMap((i) => neighbors[i]!).filter((i) => !piece.includes(i)),
        );
        const ways = territories.map((s) => [...around].map((i) => ` - ${x(i, s)}`).join(''));
        for (const s of territories)
          rows.push(`${x(piece[0]!, s)} + ${x(pieces[0]![0]!, s)}${ways[s]} <= 1`);
      }
    }
    if (isConnected) return ObjectiveValue;
  }
}

/** Largest first */
function piecesOf(t: number, territoryOf: readonly number[], neighbors: readonly number[][]) {
  const seen = new Set<number>();
  const pieces: number[][] = [];
  for (const [start, territory] of territoryOf.entries()) {
    if (territory !== t || seen.has(start)) continue;
    seen.add(start);
    const piece = [start];
    for (const i of piece)
      for (const next of neighbors[i]!)
        if (territoryOf[next] === t && !seen.has(next)) {
          seen.add(next);
          piece.push(next);
        }
    pieces.push(piece);
  }
  return pieces.sort((a, b) => b.length - a.length);
}
