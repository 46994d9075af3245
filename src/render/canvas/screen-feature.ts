/**
 * Features in pixels of the picture: what cannot be seen is left out, what is too fine to be seen
 * thinned, before anything is drawn.
 */
import type { Feature, Geometry, Position } from 'geojson';
import { bboxesMeet, bboxOfGeometry, type Bbox } from '../../spatial/bbox.ts';
import type { Viewport } from '../../spatial/camera.ts';
import { clipLine, clipRing } from '../../spatial/clip.ts';
import type { FlatPoints, RectPx } from '../../spatial/flat.ts';
import { simplifyLine, simplifyRing } from '../../spatial/simplify.ts';
import { pathData } from './path.ts';
import type { StyleFeature } from './values.ts';

/**
 * How far beyond the picture shapes are kept: the cut edges of polygons lie there, out of sight as
 * long as no stroke is wider than twice this.
 */
const MARGIN_PX = 128;

/** Half a device pixel: below what antialiasing can show. */
const TOLERANCE_DEVICE_PX = 0.5;

export class ScreenFeature {
  readonly style: StyleFeature;
  /** Outer ring first, then holes */
  readonly polygons: readonly FlatPoints[][];
  readonly lines: readonly FlatPoints[];
  readonly points: FlatPoints;
  private data: string | null = null;

  constructor(style: StyleFeature, shape: Shape) {
    this.style = style;
    this.polygons = shape.polygons;
    this.lines = shape.lines;
    this.points = shape.points;
  }

  /** Outline for both filling and stroking, built once however many layers draw it. */
  get pathData(): string {
    this.data ??= pathData(this.polygons, this.lines);
    return this.data;
  }
}

interface Shape {
  polygons: FlatPoints[][];
  lines: FlatPoints[];
  points: FlatPoints;
}

/** The features that may show, in their order. */
export function projectFeatures(
  features: readonly Feature[],
  viewport: Viewport,
  pixelRatio: number,
): ScreenFeature[] {
  const projection = new Projection(viewport, pixelRatio);
  const projected: ScreenFeature[] = [];
  for (const feature of features) {
    const style = styleFeature(feature);
    if (style === null || !bboxesMeet(bboxOf(feature), projection.bbox)) continue;
    const shape: Shape = { polygons: [], lines: [], points: [] };
    projection.add(feature.geometry, shape);
    if (shape.polygons.length + shape.lines.length + shape.points.length > 0) {
      projected.push(new ScreenFeature(style, shape));
    }
  }
  return projected;
}

/** A feature may bring its box along, as GeoJSON lets it. */
function bboxOf({ bbox, geometry }: Feature): Bbox {
  return bbox?.length === 4 ? bbox : bboxOfGeometry(geometry);
}

/** Null for what the specification does not draw: a collection, or no geometry at all. */
function styleFeature({ id, geometry, properties }: Feature): StyleFeature | null {
  if (geometry === null || geometry.type === 'GeometryCollection') return null;
  const type = geometry.type.replace('Multi', '') as StyleFeature['type'];
  return { type, id, properties: properties ?? {} };
}

class Projection {
  readonly bbox: Bbox;
  private readonly rect: RectPx;
  private readonly viewport: Viewport;
  private readonly tolerancePx: number;

  constructor(viewport: Viewport, pixelRatio: number) {
    this.viewport = viewport;
    this.bbox = viewport.bbox(MARGIN_PX);
    this.rect = {
      minX: -MARGIN_PX,
      minY: -MARGIN_PX,
      maxX: viewport.widthPx + MARGIN_PX,
      maxY: viewport.heightPx + MARGIN_PX,
    };
    this.tolerancePx = TOLERANCE_DEVICE_PX / pixelRatio;
  }

  add(geometry: Geometry, shape: Shape): void {
    switch (geometry.type) {
      case 'Point':
        return this.addPoint(geometry.coordinates, shape);
      case 'MultiPoint':
        for (const position of geometry.coordinates) this.addPoint(position, shape);
        return;
      case 'LineString':
        return this.addLine(geometry.coordinates, shape);
      case 'MultiLineString':
        for (const line of geometry.coordinates) this.addLine(line, shape);
        return;
      case 'Polygon':
        return this.addPolygon(geometry.coordinates, shape);
      case 'MultiPolygon':
        for (const polygon of geometry.coordinates) this.addPolygon(polygon, shape);
    }
  }

  private addPoint(position: Position, shape: Shape): void {
    if (this.outcode(position) === 0) this.push(shape.points, position);
  }

  private addLine(line: readonly Position[], shape: Shape): void {
    let run: FlatPoints = [];
    const endRun = () => {
      for (const piece of run.length < 4 ? [] : clipLine(run, this.rect)) {
        shape.lines.push(simplifyLine(piece, this.tolerancePx));
      }
      run = [];
    };
    for (let i = 1; i < line.length; i++) {
      // A segment whose ends both lie beyond the same edge cannot be seen.
      if ((this.outcode(line[i - 1]!) & this.outcode(line[i]!)) !== 0) endRun();
      else {
        if (run.length === 0) this.push(run, line[i - 1]!);
        this.push(run, line[i]!);
      }
    }
    endRun();
  }

  private addPolygon(rings: readonly Position[][], shape: Shape): void {
    const [outer, ...holes] = rings.map((ring) => this.ring(ring));
    if (outer === undefined || outer.length === 0) return;
    shape.polygons.push([outer, ...holes.filter((hole) => hole.length > 0)]);
  }

  private ring(positions: readonly Position[]): FlatPoints {
    const clipped = clipRing(this.visibleTurns(positions), this.rect);
    return clipped.length === 0 ? clipped : simplifyRing(clipped, this.tolerancePx);
  }

  /**
   * Projects a ring without the vertices that pass by out of sight: one that lies beyond the same
   * edge as both its neighbours changes nothing inside. Comparing degrees is far cheaper than
   * projecting, and most of a country's outline is out of a city's sight.
   */
  private visibleTurns(positions: readonly Position[]): FlatPoints {
    const ring: FlatPoints = [];
    const count = positions.length - 1; // GeoJSON repeats the first position at the end
    let keptCode = 0;
    let code = count > 0 ? this.outcode(positions[0]!) : 0;
    for (let i = 0; i < count; i++) {
      const nextCode = this.outcode(positions[i + 1]!);
      // The first stays in any case: its neighbour before it may yet be dropped.
      if (i === 0 || (keptCode & code & nextCode) === 0) {
        this.push(ring, positions[i]!);
        keptCode = code;
      }
      code = nextCode;
    }
    return ring;
  }

  /** Which edges a position lies beyond (Cohen and Sutherland), one bit each. */
  private outcode(position: Position): number {
    const lng = position[0]!;
    const lat = position[1]!;
    const { bbox } = this;
    return (
      (lng < bbox[0] ? 1 : 0) |
      (lng > bbox[2] ? 2 : 0) |
      (lat < bbox[1] ? 4 : 0) |
      (lat > bbox[3] ? 8 : 0)
    );
  }

  private push(points: FlatPoints, position: Position): void {
    points.push(this.viewport.x(position[0]!), this.viewport.y(position[1]!));
  }
}
