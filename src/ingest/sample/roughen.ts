/**
 * Makes straight Voronoi borders look like ZIP code borders, by midpoint displacement: split the
 * line in half, move the midpoint sideways, and repeat for both halves.
 *
 * Two roughened borders can't cross. Each stays inside the kite of its two ends and its two sites, and the
 * kites of a Voronoi diagram don't overlap. For a border of length L whose site has the height h above the
 * foot f, the kite's edge at position `x` is `h * min(x / f, (L - x) / (L - f))`. The edge is concave, so a
 * line between two points below it stays below it.
 */
import { turn, type Point } from './plane.ts';
import type { Random } from './random.ts';

/** Target length of the pieces (microdegrees of latitude: 1.3 km). */
const PIECE = 12_000;
/** A border has at most 2^3 pieces. */
const MAX_HALVINGS = 3;
/** Maximum displacement, as a share of the line that is split */
const ROUGHNESS = 0.16;
/** Share of the distance to the kite's edge that a border may use */
const KITE_USE = 0.5;

/** Returns the path from one end to the other. `site` is either of the border's two sites. */
export function roughenBorder(from: Point, to: Point, site: Point, random: Random): Point[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const halvings = Math.min(MAX_HALVINGS, Math.max(0, Math.ceil(Math.log2(length / PIECE))));
  if (halvings === 0) return [from, to];

  const height = Math.abs(turn(from, to, site)) / length;
  const foot = ((site[0] - from[0]) * dx + (site[1] - from[1]) * dy) / length;
  const kiteEdge = (x: number) =>
    height *
    Math.min(
      foot > 0 ? x / foot : Infinity,
      foot < length ? (length - x) / (length - foot) : Infinity,
    );

  let offsets = [0, 0];
  for (let halving = 0; halving < halvings; halving++) {
    const step = length / (offsets.length - 1);
    offsets = offsets.flatMap((offset, i) => {
      if (i === 0) return offset;
      const pushed = (offsets[i - 1]! + offset) / 2 + (random() * 2 - 1) * ROUGHNESS * step;
      const limit = KITE_USE * kiteEdge((i - 0.5) * step);
      return [Math.max(-limit, Math.min(limit, pushed)), offset];
    });
  }
  return offsets.map((offset, i) => {
    if (i === 0) return from;
    if (i === offsets.length - 1) return to;
    const along = i / (offsets.length - 1);
    return [
      from[0] + dx * along - (dy / length) * offset,
      from[1] + dy * along + (dx / length) * offset,
    ];
  });
}
