/** Links directed pieces end to start into rings. */
import { group as groupBy } from 'd3-array';
import { pointKey, simpleRings, type Point, type Ring } from './plane.ts';

/** If several pieces start at one point, any of them may follow: `simpleRings` splits the path later. */
export function linkIntoRings(pieces: readonly (readonly Point[])[]): Ring[] {
  const byStart = groupBy(pieces, (piece) => pointKey(piece[0]!));
  const rings: Ring[] = [];
  for (const [start, open] of byStart) {
    while (open.length > 0) {
      const path = [...open.pop()!];
      for (let end = pointKey(path.at(-1)!); end !== start; end = pointKey(path.at(-1)!)) {
        const next = byStart.get(end)?.pop();
        if (!next) throw new Error(`an outline ends at ${end}`);
        path.push(...next.slice(1));
      }
      rings.push(...simpleRings(path));
    }
  }
  return rings;
}
