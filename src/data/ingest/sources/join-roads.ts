/**
 * Joins the segments of a road end to end. Separate segments would look like sausages, with round ends and
 * gaps.
 */
import type { FeatureFacts } from '../../basemap/features.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import type { ShapeGeometry, ShapeLevel, Shapes } from '../shape-levels.ts';
import type { Features } from '../stage-features.ts';

/** The road may turn by up to 60 degrees between two segments. */
const MIN_COSINE = 0.5;
const EQUATOR_M = 40_075_017;
/** Minimum of meters on the ground per meter on the plane: cos 73°, north of Alaska */
const MIN_SCALE = 0.29;

/** An end of a segment. Segment `i` starts at the end `2 * i` and ends at `2 * i + 1`. */
type End = number;

interface Segment {
  /** Index of its feature */
  index: number;
  /** Start and end */
  ends: [EndPoint, EndPoint];
}

interface EndPoint {
  /** On the Mercator plane, in meters at the equator */
  x: number;
  y: number;
  /** Meters on the ground per meter on the plane */
  scale: number;
  /** Direction out of the segment, a unit vector */
  outX: number;
  outY: number;
}

/**
 * Joins segments of the same kind and name.
 *
 * @param gapM longest gap to close between ends that point at each other, in meters. With 0, only ends at
 *   the same position are joined
 */
export function joinRoads({ shapes, features }: Features, gapM: number): Features {
  const joined = new Map(features);
  const levels = shapes.levels.map((level) => new LevelJoiner(level));
  for (const segments of groupSegments(shapes, features).values()) {
    const links = linkEnds(segments, gapM);
    for (const chain of chainsOf(segments.length, links)) {
      if (chain.length === 1) continue;
      const runs = chain.map((end) => ({
        index: segments[end >> 1]!.index,
        isReversed: end % 2 === 1,
      }));
      const [first, ...others] = runs;
      for (const { index } of others) joined.delete(index);
      for (const level of levels) level.join(first!.index, runs);
    }
  }
  return {
    shapes: { properties: shapes.properties, levels: levels.map((level) => level.finish()) },
    features: joined,
  };
}

/** Groups the features that consist of one line by the properties that joined roads must share. */
function groupSegments(
  { levels: [finest] }: Shapes,
  features: ReadonlyMap<number, FeatureFacts>,
): Map<string, Segment[]> {
  const groups = new Map<string, Segment[]>();
  for (const [index, { kind, name, minZoom, rank }] of features) {
    const run = singleRun(finest!.geometries[index] ?? null);
    if (run === null) continue;
    const key = JSON.stringify([kind, name, minZoom, rank]);
    const segment: Segment = {
      index,
      ends: [endOf(run, finest!), endOf(reverseRun(run), finest!)],
    };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [segment]);
    else group.push(segment);
  }
  return groups;
}

function singleRun(geometry: ShapeGeometry | null): number[] | null {
  if (geometry?.type === 'LineString') return geometry.arcs;
  return geometry?.type === 'MultiLineString' && geometry.arcs.length === 1
    ? geometry.arcs[0]!
    : null;
}

const reverseRun = (run: readonly number[]) => run.map((arc) => ~arc).toReversed();

/** Returns the start of a run. */
function endOf(run: readonly number[], { arcs: { coordinates, starts } }: ShapeLevel): EndPoint {
  const arc = run[0]!;
  const step = arc < 0 ? -1 : 1;
  const at = arc < 0 ? starts[~arc + 1]! - 1 : starts[arc]!;
  const [x, y] = planeAt(coordinates, at);
  const [nextX, nextY] = planeAt(coordinates, at + step);
  const length = Math.hypot(x - nextX, y - nextY) || 1;
  const scale = Math.cos((coordinates[2 * at + 1]! * Math.PI) / 180);
  return { x, y, scale, outX: (x - nextX) / length, outY: (y - nextY) / length };
}

const planeAt = (coordinates: Float64Array, at: number) =>
  [
    EQUATOR_M * mercatorX(coordinates[2 * at]!),
    EQUATOR_M * mercatorY(coordinates[2 * at + 1]!),
  ] as const;

/** Returns pairs of ends to join: closest and straightest first, each end at most once. */
function linkEnds(segments: readonly Segment[], gapM: number): Map<End, End> {
  const cellM = Math.max(gapM, 1) / MIN_SCALE;
  const cells = new Map<string, End[]>();
  const pointOf = (end: End) => segments[end >> 1]!.ends[end % 2]!;
  const ends = segments.flatMap((_, i) => [2 * i, 2 * i + 1]);
  const cellOf = ({ x, y }: EndPoint, dx = 0, dy = 0) =>
    `${Math.floor(x / cellM) + dx}/${Math.floor(y / cellM) + dy}`;
  for (const end of ends) {
    const key = cellOf(pointOf(end));
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [end]);
    else cell.push(end);
  }
  const candidates: { a: End; b: End; cost: number }[] = [];
  for (const a of ends) {
    for (const [dx, dy] of NEIGHBORS) {
      for (const b of cells.get(cellOf(pointOf(a), dx, dy)) ?? []) {
        if (b <= a || b >> 1 === a >> 1) continue;
        const cost = joinCost(pointOf(a), pointOf(b), gapM);
        if (cost !== null) candidates.push({ a, b, cost });
      }
    }
  }
  const links = new Map<End, End>();
  for (const { a, b } of candidates.sort((p, q) => p.cost - q.cost || p.a - q.a || p.b - q.b)) {
    if (links.has(a) || links.has(b)) continue;
    links.set(a, b);
    links.set(b, a);
  }
  return links;
}

const NEIGHBORS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

/** Ends within this distance are at the same position: coordinates are rounded to 0.1 m. */
const SAME_M = 0.5;

/** Returns null if the road doesn't continue from one end to the other. */
function joinCost(a: EndPoint, b: EndPoint, gapM: number): number | null {
  const straightness = -(a.outX * b.outX + a.outY * b.outY);
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const planeM = Math.hypot(dx, dy);
  const distance = planeM * a.scale;
  if (distance <= SAME_M) return straightness < 0 ? null : 1 - straightness;
  if (distance > gapM || straightness < MIN_COSINE) return null;
  // Both ends must point at each other.
  const towardB = (a.outX * dx + a.outY * dy) / planeM;
  const towardA = -(b.outX * dx + b.outY * dy) / planeM;
  if (Math.min(towardA, towardB) < MIN_COSINE) return null;
  return 1 + distance;
}

/** Returns chains of segments. Each member is the end at which the chain enters its segment. */
function* chainsOf(count: number, links: ReadonlyMap<End, End>): Generator<End[]> {
  const isTaken = new Uint8Array(count);
  const follow = (start: End): End[] => {
    const chain: End[] = [];
    for (let end: End | undefined = start; end !== undefined && !isTaken[end >> 1];) {
      isTaken[end >> 1] = 1;
      chain.push(end);
      end = links.get(end ^ 1);
    }
    return chain;
  };
  for (let end = 0; end < 2 * count; end++) {
    if (!isTaken[end >> 1] && !links.has(end)) yield follow(end);
  }
  // The remaining segments form rings.
  for (let segment = 0; segment < count; segment++) {
    if (!isTaken[segment]) yield follow(2 * segment);
  }
}

/** Joins the geometries of a level. Gaps become arcs of two positions. */
class LevelJoiner {
  private readonly level: ShapeLevel;
  private readonly geometries: (ShapeGeometry | null)[];
  private readonly bridges: number[] = [];

  constructor(level: ShapeLevel) {
    this.level = level;
    this.geometries = [...level.geometries];
  }

  join(target: number, runs: readonly { index: number; isReversed: boolean }[]): void {
    const whole: number[] = [];
    for (const { index, isReversed } of runs) {
      const own = singleRun(this.level.geometries[index] ?? null);
      if (own === null) continue;
      const run = isReversed ? reverseRun(own) : own;
      if (whole.length > 0) whole.push(...this.bridge(whole.at(-1)!, run[0]!));
      whole.push(...run);
      this.geometries[index] = null;
    }
    this.geometries[target] = whole.length === 0 ? null : { type: 'LineString', arcs: whole };
  }

  /** Adds an arc between two others, unless they touch. */
  private bridge(from: number, to: number): number[] {
    const { starts, coordinates } = this.level.arcs;
    const positionAt = (i: number) => [coordinates[2 * i]!, coordinates[2 * i + 1]!] as const;
    const end = positionAt(from < 0 ? starts[~from]! : starts[from + 1]! - 1);
    const start = positionAt(to < 0 ? starts[~to + 1]! - 1 : starts[to]!);
    if (end[0] === start[0] && end[1] === start[1]) return [];
    this.bridges.push(...end, ...start);
    return [starts.length - 1 + this.bridges.length / 4 - 1];
  }

  finish(): ShapeLevel {
    const { coordinates, starts } = this.level.arcs;
    const all = new Float64Array(coordinates.length + this.bridges.length);
    all.set(coordinates);
    all.set(this.bridges, coordinates.length);
    const count = this.bridges.length / 4;
    const allStarts = new Uint32Array(starts.length + count);
    allStarts.set(starts);
    for (let i = 0; i < count; i++) allStarts[starts.length + i] = starts.at(-1)! + 2 * (i + 1);
    return { arcs: { coordinates: all, starts: allStarts }, geometries: this.geometries };
  }
}
