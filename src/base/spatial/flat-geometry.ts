/**
 * Shapes whose positions are in one list of numbers. Lists of positions, as in GeoJSON, take ten times the
 * memory and most of the time of reading and sending shapes, so they are made only when something asks for
 * them.
 */
import type { Geometry } from 'geojson';

export type FlatType = Exclude<Geometry['type'], 'GeometryCollection'>;

/** Levels of lists around the positions of each type */
const DEPTHS: Readonly<Record<FlatType, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

export const isFlatType = (type: string): type is FlatType => Object.hasOwn(DEPTHS, type);

/** The positions of one or more shapes, one after the other */
export interface FlatPositions {
  /** Longitude and latitude of each position */
  numbers: Float64Array;
  /** Lengths of the lists of each shape, outermost first: for a polygon, of its rings, then of the positions of each */
  counts: Int32Array;
}

/** A part of `numbers` or of `counts` */
export interface Span {
  start: number;
  end: number;
}

export class FlatGeometry {
  readonly type: FlatType;
  readonly positions: FlatPositions;
  /** Parts of the positions that belong to this shape */
  readonly numbers: Span;
  readonly counts: Span;
  #coordinates: unknown;

  constructor(type: FlatType, positions: FlatPositions, numbers: Span, counts: Span) {
    this.type = type;
    this.positions = positions;
    this.numbers = numbers;
    this.counts = counts;
  }

  /** As in GeoJSON */
  get coordinates(): unknown {
    return (this.#coordinates ??= this.#lists());
  }

  #lists(): unknown {
    const { numbers, counts } = this.positions;
    let number = this.numbers.start;
    let count = this.counts.start;
    const read = (depth: number): unknown =>
      depth === 0
        ? [numbers[number++], numbers[number++]]
        : Array.from({ length: counts[count++]! }, () => read(depth - 1));
    return read(DEPTHS[this.type]);
  }

  toJSON(): { type: FlatType; coordinates: unknown } {
    return { type: this.type, coordinates: this.coordinates };
  }

  /** The smallest box around the positions, a `Bbox` */
  get bbox(): [west: number, south: number, east: number, north: number] {
    const { numbers } = this.positions;
    const { start, end } = this.numbers;
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = start; at < end; at += 2) {
      const lng = numbers[at]!;
      const lat = numbers[at + 1]!;
      if (lng < west) west = lng;
      if (lat < south) south = lat;
      if (lng > east) east = lng;
      if (lat > north) north = lat;
    }
    return [west, south, east, north];
  }

  /** Where the points of a point or multipoint start in `positions.numbers` */
  get points(): number[] {
    const { start, end } = this.numbers;
    return Array.from({ length: (end - start) / 2 }, (_, i) => start + 2 * i);
  }

  /** Parts of `positions.numbers` with the lines of a linestring or multilinestring */
  get lines(): Span[] {
    const { start, end } = this.counts;
    return this.#spans(this.type === 'LineString' ? start : start + 1, end, this.numbers.start);
  }

  /** Parts of `positions.numbers` with the rings of each polygon, the outer ring first */
  get polygons(): Span[][] {
    const { counts } = this.positions;
    let count = this.counts.start;
    let number = this.numbers.start;
    const length = this.type === 'Polygon' ? 1 : counts[count++]!;
    return Array.from({ length }, () => {
      const first = count + 1;
      count = first + counts[count]!;
      const rings = this.#spans(first, count, number);
      number = rings.at(-1)?.end ?? number;
      return rings;
    });
  }

  /** Parts of `positions.numbers`, one after the other, with as many positions as these counts say */
  #spans(firstCount: number, endCount: number, number: number): Span[] {
    const spans: Span[] = [];
    let start = number;
    for (let i = firstCount; i < endCount; i++) {
      const end = start + 2 * this.positions.counts[i]!;
      spans.push({ start, end });
      start = end;
    }
    return spans;
  }
}

/** Any geometry but a collection, of GeoJSON or flat */
export interface Coordinates {
  type: FlatType;
  coordinates: unknown;
}

/** Collects the positions of shapes. */
export class FlatWriter {
  numberCount = 0;
  countCount = 0;
  private numbers = new Float64Array(1 << 14);
  private counts = new Int32Array(1 << 11);

  clear(): void {
    this.numberCount = this.countCount = 0;
  }

  addCount(count: number): void {
    this.reserve(0, 1);
    this.counts[this.countCount++] = count;
  }

  addPosition(lng: number, lat: number): void {
    this.reserve(2, 0);
    this.numbers[this.numberCount++] = lng;
    this.numbers[this.numberCount++] = lat;
  }

  /**
   * Adds a shape. Returns false, and adds nothing, unless its positions are pairs of numbers.
   *
   * @param isStrict whether to refuse other positions. Otherwise, their first two values are added.
   */
  write(geometry: Coordinates, isStrict = true): boolean {
    if (geometry instanceof FlatGeometry) {
      this.copy(geometry);
      return true;
    }
    const { numberCount, countCount } = this;
    if (this.writeLists(geometry.coordinates, DEPTHS[geometry.type], isStrict)) return true;
    this.numberCount = numberCount;
    this.countCount = countCount;
    return false;
  }

  private copy({ positions, numbers, counts }: FlatGeometry): void {
    this.reserve(numbers.end - numbers.start, counts.end - counts.start);
    this.numbers.set(positions.numbers.subarray(numbers.start, numbers.end), this.numberCount);
    this.counts.set(positions.counts.subarray(counts.start, counts.end), this.countCount);
    this.numberCount += numbers.end - numbers.start;
    this.countCount += counts.end - counts.start;
  }

  private writeLists(value: unknown, depth: number, isStrict: boolean): boolean {
    if (depth === 0) return this.writePositions([value], isStrict);
    if (isStrict && !Array.isArray(value)) return false;
    const lists = value as unknown[];
    this.addCount(lists.length);
    if (depth === 1) return this.writePositions(lists, isStrict);
    return lists.every((list) => this.writeLists(list, depth - 1, isStrict));
  }

  private writePositions(positions: readonly unknown[], isStrict: boolean): boolean {
    this.reserve(2 * positions.length, 0);
    const { numbers } = this;
    let at = this.numberCount;
    for (const position of positions as readonly (readonly number[])[]) {
      if (isStrict && !isPair(position)) return false;
      numbers[at++] = position[0]!;
      numbers[at++] = position[1]!;
    }
    this.numberCount = at;
    return true;
  }

  private reserve(numbers: number, counts: number): void {
    if (this.numberCount + numbers > this.numbers.length) {
      const larger = new Float64Array(2 * (this.numberCount + numbers));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    if (this.countCount + counts > this.counts.length) {
      const larger = new Int32Array(2 * (this.countCount + counts));
      larger.set(this.counts);
      this.counts = larger;
    }
  }

  /** The only shape since `clear`, which is valid until the next one is added */
  shape(type: FlatType): FlatGeometry {
    return this.shapeOf(type, { numbers: this.numbers, counts: this.counts });
  }

  /** A copy of the only shape since `clear` */
  copiedShape(type: FlatType): FlatGeometry {
    return this.shapeOf(type, this.finish());
  }

  private shapeOf(type: FlatType, positions: FlatPositions): FlatGeometry {
    const [numbers, counts] = [this.numberCount, this.countCount];
    return new FlatGeometry(type, positions, { start: 0, end: numbers }, { start: 0, end: counts });
  }

  /** Copies of the positions so far */
  finish(): FlatPositions {
    return {
      numbers: this.numbers.slice(0, this.numberCount),
      counts: this.counts.slice(0, this.countCount),
    };
  }
}

const isPair = (position: unknown): boolean =>
  Array.isArray(position) &&
  position.length === 2 &&
  typeof position[0] === 'number' &&
  typeof position[1] === 'number';
