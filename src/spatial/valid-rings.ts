/**
 * Repairs polygons on an integer grid, as in vector tiles: rounding makes rings cross, overlap, or touch
 * themselves. Few polygons need it, so the check is fast, and the repair is thorough.
 */

export type GridPosition = [x: number, y: number];
export type GridRing = GridPosition[];

/**
 * Returns valid rings for a polygon: the areas that an odd number of rings encloses. Each outer ring, of
 * positive area in `doubleArea`, is followed by its holes. Returns the rings themselves if they are valid,
 * and none if no area is left.
 *
 * @param rings closed, with integer coordinates
 */
export function validRings(rings: GridRing[]): GridRing[] {
  const edges = rings.flatMap((ring) => ring.slice(1).map((end, i): Edge => [...ring[i]!, ...end]));
  if (splitPoints(edges, true).size === 0) return rings;
  return assemble(traceFaces(nodeEdges(edges)));
}

/** Twice the signed area: positive if the ring turns from the x axis to the y axis. */
export function doubleArea(ring: GridRing): number {
  let sum = 0;
  let [x1, y1] = ring.at(-1) ?? [0, 0];
  for (const [x2, y2] of ring) {
    sum += x1 * y2 - x2 * y1;
    [x1, y1] = [x2, y2];
  }
  return sum;
}

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

/** Splitting moves edges by up to half a unit, so it may add crossings. These get fewer every time. */
const MAX_ROUNDS = 20;

/** Splits edges where they meet, at positions of the grid. Edges that coincide cancel in pairs. */
function nodeEdges(edges: readonly Edge[]): Edge[] {
  let noded = cancelPairs(edges);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const splits = splitPoints(noded, false);
    if (splits.size === 0) return noded;
    noded = cancelPairs(noded.flatMap((edge, i) => splitEdge(edge, splits.get(i) ?? [])));
  }
  return noded;
}

function cancelPairs(edges: readonly Edge[]): Edge[] {
  const odd = new Map<string, Edge>();
  for (const [x1, y1, x2, y2] of edges) {
    if (x1 === x2 && y1 === y2) continue;
    const edge: Edge = x1 < x2 || (x1 === x2 && y1 < y2) ? [x1, y1, x2, y2] : [x2, y2, x1, y1];
    const key = edge.join();
    if (!odd.delete(key)) odd.set(key, edge);
  }
  return [...odd.values()];
}

function splitEdge([x1, y1, x2, y2]: Edge, points: GridPosition[]): Edge[] {
  const along = ([x, y]: GridPosition) => (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1);
  const sorted = [[x1, y1], ...points.toSorted((a, b) => along(a) - along(b)), [x2, y2]];
  return sorted.slice(1).map((end, i) => [...sorted[i]!, ...end] as unknown as Edge);
}

/**
 * Returns where to split edges, by index. In a check, an edge is also listed for a vertex that more than two
 * edges share, and the search stops at the first one.
 */
function splitPoints(edges: readonly Edge[], isCheck: boolean): Map<number, GridPosition[]> {
  const splits = new Map<number, GridPosition[]>();
  const add = (index: number, point: GridPosition) => {
    const [x1, y1, x2, y2] = edges[index]!;
    if ((point[0] === x1 && point[1] === y1) || (point[0] === x2 && point[1] === y2)) return;
    splits.set(index, [...(splits.get(index) ?? []), point]);
  };
  if (isCheck) {
    const degrees = new Map<number, number>();
    for (const [i, [x, y]] of edges.entries()) {
      const vertex = x * 65_536 + y;
      const degree = (degrees.get(vertex) ?? 0) + 1;
      if (degree > 1) return splits.set(i, []);
      degrees.set(vertex, degree);
    }
  }
  visitPairs(edges, (a, b) => {
    for (const point of meetings(edges[a]!, edges[b]!)) {
      add(a, point);
      add(b, point);
    }
    return isCheck && splits.size > 0;
  });
  return splits;
}

/** Height of strips in units: a few times the length of most edges */
const STRIP = 32;

/** Returns the indexes of the edges in each horizontal strip. */
function stripsOf(edges: readonly Edge[]): Map<number, number[]> {
  const strips = new Map<number, number[]>();
  for (const [i, edge] of edges.entries()) {
    const last = Math.floor(Math.max(edge[1], edge[3]) / STRIP);
    for (let y = Math.floor(Math.min(edge[1], edge[3]) / STRIP); y <= last; y++) {
      const strip = strips.get(y);
      if (strip) strip.push(i);
      else strips.set(y, [i]);
    }
  }
  return strips;
}

/** Visits the pairs of edges whose boxes meet, some of them more than once, until a visit returns true. */
function visitPairs(edges: readonly Edge[], visit: (a: number, b: number) => boolean): void {
  const [left, right] = [new Float64Array(edges.length), new Float64Array(edges.length)];
  const [top, bottom] = [new Float64Array(edges.length), new Float64Array(edges.length)];
  for (const [i, edge] of edges.entries()) {
    left[i] = Math.min(edge[0], edge[2]);
    right[i] = Math.max(edge[0], edge[2]);
    top[i] = Math.min(edge[1], edge[3]);
    bottom[i] = Math.max(edge[1], edge[3]);
  }
  for (const strip of stripsOf(edges).values()) {
    strip.sort((a, b) => left[a]! - left[b]!);
    for (const [j, a] of strip.entries()) {
      for (let k = j + 1; k < strip.length; k++) {
        const b = strip[k]!;
        if (left[b]! > right[a]!) break;
        if (top[b]! <= bottom[a]! && top[a]! <= bottom[b]! && visit(a, b)) return;
      }
    }
  }
}

/** Returns the points, rounded to the grid, where an edge touches, crosses, or overlaps another one. */
function meetings(a: Edge, b: Edge): GridPosition[] {
  const [bx, by, bx2, by2] = b;
  const [b1, b2] = [sideOf(a, bx, by), sideOf(a, bx2, by2)];
  if (b1 * b2 > 0) return [];
  const [ax, ay, ax2, ay2] = a;
  const [a1, a2] = [sideOf(b, ax, ay), sideOf(b, ax2, ay2)];
  if (a1 * a2 > 0) return [];
  const points: GridPosition[] = [];
  if (b1 === 0 && isInBox(a, bx, by)) points.push([bx, by]);
  if (b2 === 0 && isInBox(a, bx2, by2)) points.push([bx2, by2]);
  if (a1 === 0 && isInBox(b, ax, ay)) points.push([ax, ay]);
  if (a2 === 0 && isInBox(b, ax2, ay2)) points.push([ax2, ay2]);
  if (points.length > 0 || b1 === b2) return points;
  const share = b1 / (b1 - b2);
  return [[Math.round(bx + share * (bx2 - bx)), Math.round(by + share * (by2 - by))]];
}

/** Positive on the left of an edge, 0 on the line through it */
const sideOf = (edge: Edge, x: number, y: number) =>
  (edge[2] - edge[0]) * (y - edge[1]) - (edge[3] - edge[1]) * (x - edge[0]);

const isInBox = ([x1, y1, x2, y2]: Edge, x: number, y: number) =>
  x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);

/** An open ring with the enclosed area on its left, and a point there */
interface Face {
  ring: GridRing;
  area: number;
  inside: GridPosition;
}

/** Finds the rings around the areas that an odd number of edges separates from the outside. */
function traceFaces(edges: readonly Edge[]): Face[] {
  const starts = new Map<string, { to: GridPosition; angle: number; isUsed: boolean }[]>();
  const link = (x: number, y: number, x2: number, y2: number) => {
    const key = `${x},${y}`;
    const half = { to: [x2, y2] as GridPosition, angle: Math.atan2(y2 - y, x2 - x), isUsed: false };
    const halves = starts.get(key);
    if (halves) halves.push(half);
    else starts.set(key, [half]);
  };
  for (const [x1, y1, x2, y2] of edges) {
    link(x1, y1, x2, y2);
    link(x2, y2, x1, y1);
  }
  for (const halves of starts.values()) halves.sort((a, b) => a.angle - b.angle);
  const faces: Face[] = [];
  const isEnclosed = parityOf(edges);
  for (const [key, halves] of starts) {
    const from = key.split(',').map(Number) as GridPosition;
    for (const first of halves) {
      if (first.isUsed) continue;
      const walk: GridRing = [];
      let [at, half] = [from, first];
      while (!half.isUsed) {
        half.isUsed = true;
        walk.push(at);
        const around = starts.get(half.to.join())!;
        const back = around.findIndex(({ to }) => to[0] === at[0] && to[1] === at[1]);
        at = half.to;
        // The next edge clockwise keeps the same area on the left.
        half = around.at(back - 1)!;
      }
      if (!isEnclosed(pointLeftOf(walk))) continue;
      for (const ring of splitAtTouches(walk)) {
        faces.push({ ring, area: doubleArea(ring), inside: pointLeftOf(ring) });
      }
    }
  }
  return faces;
}

/** Much less than the distance of any position from an edge that doesn't end there */
const TINY = 1e-6;

function pointLeftOf(ring: GridRing): GridPosition {
  const [[x1, y1], [x2, y2]] = ring as [GridPosition, GridPosition];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
  return [middleX - (TINY * (y2 - y1)) / length, middleY + (TINY * (x2 - x1)) / length];
}

/** Returns a test of whether a ray from a point crosses an odd number of edges. */
function parityOf(edges: readonly Edge[]): (point: GridPosition) => boolean {
  const strips = stripsOf(edges);
  return ([x, y]) => {
    let isOdd = false;
    for (const i of strips.get(Math.floor(y / STRIP)) ?? []) {
      const [x1, y1, x2, y2] = edges[i]!;
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isOdd = !isOdd;
    }
    return isOdd;
  };
}

/** Divides a walk around an area into rings that visit each position once. */
function splitAtTouches(walk: GridRing): GridRing[] {
  const rings: GridRing[] = [];
  const path: GridRing = [];
  const indexOf = new Map<string, number>();
  for (const point of walk) {
    const key = point.join();
    const since = indexOf.get(key);
    if (since !== undefined) {
      const ring = path.splice(since);
      for (const visited of ring) indexOf.delete(visited.join());
      rings.push(ring);
    }
    indexOf.set(key, path.length);
    path.push(point);
  }
  return [...rings, path];
}

/** Closes the rings and orders them: each outer ring before its holes. */
function assemble(faces: readonly Face[]): GridRing[] {
  const outers = faces
    .filter(({ area }) => area > 0)
    .map((face) => ({ ...face, encloses: parityOf(edgesOf(face.ring)), holes: [] as GridRing[] }))
    .sort((a, b) => a.area - b.area);
  for (const hole of faces.filter(({ area }) => area < 0)) {
    outers.find(({ encloses }) => encloses(hole.inside))?.holes.push(hole.ring);
  }
  return outers.flatMap(({ ring, holes }) => [ring, ...holes].map((open) => [...open, open[0]!]));
}

const edgesOf = (ring: GridRing) =>
  ring.map((start, i): Edge => [...start, ...ring[(i + 1) % ring.length]!]);
