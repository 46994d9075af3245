/**
 * Projects GeoJSON features to pixels, clips them to the picture, and simplifies them to what can be
 * seen. A picture that shows several copies of the world gets its features in each copy.
 */
import type { Feature, Geometry, Position } from 'geojson';
import { bboxOfGeometry, emptyBbox, type Bbox } from '../../../spatial/bbox.ts';
import type { Viewport } from '../../../spatial/camera.ts';
import type { View3 } from '../../../spatial/view.ts';
import { WORLD_COPIES } from '../../../spatial/covering-tiles.ts';
import { clipLine, clipRing } from '../../../spatial/clip.ts';
import { growRect, type FlatPoints, type RectPx } from '../../../spatial/flat.ts';
import { mercatorX, worldSizePx } from '../../../spatial/mercator.ts';
import { simplifyLine, simplifyRing } from '../../../spatial/simplify.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { tilesInView } from '../../vector-tiles.ts';
import { tileRect } from './project-tiles.ts';
import { isEmptyShape, clipRectOf, ScreenFeature, type ScreenShape } from './screen-feature.ts';
import { TILE_EXTENT } from './tile-features.ts';
import { styleFeature, tileZoomOf, type StyleFeature } from '../style/property-values.ts';

/** MapLibre cuts GeoJSON into tiles up to this zoom. */
const MAX_TILE_ZOOM = 18;

/** The tiles into which MapLibre cuts GeoJSON for a view, in drawing order. */
export function geoJsonTiles(view: View3): TileAddress[] {
  return tilesInView(view, { minzoom: 0, maxzoom: MAX_TILE_ZOOM });
}

/** MapLibre simplifies GeoJSON by this many tile pixels, except at `MAX_TILE_ZOOM`. */
const TOLERANCE_PX = 0.375;

/** Returns the accepted features that may be visible, in their order. */
export type ReadAccepted = (accepts: (feature: StyleFeature) => boolean) => ScreenFeature[];

export function projectFeatures(features: readonly Feature[], view: View3): ReadAccepted {
  const tileZoom = Math.min(MAX_TILE_ZOOM, tileZoomOf(view.zoom));
  return projectIntoRect(clipRectOf(view), null, tileZoom, features, view);
}

/** MapLibre's default margin around a GeoJSON tile, as a fraction of its side */
const TILE_MARGIN = 1 / 4;

/**
 * Reads the features tile by tile, as MapLibre cuts GeoJSON: dashes and other distances along a line
 * start where a tile's margin cuts it.
 */
export function projectFeaturesByTile(features: readonly Feature[], viewport: View3): ReadAccepted {
  const tiles = geoJsonTiles(viewport).map((address) => {
    const square = tileRect(address, viewport);
    const rect = growRect(square, TILE_MARGIN * (square.maxX - square.minX));
    return projectIntoRect(rect, square, address.z, features, viewport);
  });
  return (accepts) => tiles.flatMap((read) => read(accepts));
}

/** A feature that meets the picture or a tile, in some copies of the world; 0 is the original. */
interface Candidate {
  style: StyleFeature;
  geometry: Geometry;
  first: number;
  last: number;
  /** Undefined until a layer accepts the feature; null if it isn't visible */
  projected: ScreenFeature | null | undefined;
}

function projectIntoRect(
  rect: RectPx,
  tile: RectPx | null,
  tileZoom: number,
  features: readonly Feature[],
  viewport: Viewport,
): ReadAccepted {
  const worlds = new Map<number, Projection>();
  const projectionOf = (world: number) => {
    let projection = worlds.get(world);
    if (projection === undefined) {
      projection = new Projection(viewport, world, rect, tileZoom);
      worlds.set(world, projection);
    }
    return projection;
  };
  const [westmost, south, eastmost, north] = bboxOfRect(rect, viewport);
  const candidates: Candidate[] = [];
  for (const feature of features) {
    const bbox = bboxOf(feature);
    if (bbox[1] > north || bbox[3] < south) continue;
    const first = Math.max(-WORLD_COPIES, Math.ceil((westmost - bbox[2]) / 360));
    const last = Math.min(WORLD_COPIES, Math.floor((eastmost - bbox[0]) / 360));
    const style = first <= last ? styleFeature(feature) : null;
    if (style === null) continue;
    candidates.push({ style, geometry: feature.geometry, first, last, projected: undefined });
  }
  const project = ({ style, geometry, first, last }: Candidate) => {
    const shape: ScreenShape = { polygons: [], lines: [], points: [] };
    for (let world = first; world <= last; world++) projectionOf(world).add(geometry, shape);
    return isEmptyShape(shape) ? null : new ScreenFeature(style, shape, tile);
  };
  return (accepts) => {
    const accepted: ScreenFeature[] = [];
    for (const candidate of candidates) {
      if (!accepts(candidate.style)) continue;
      if (candidate.projected === undefined) candidate.projected = project(candidate);
      if (candidate.projected !== null) accepted.push(candidate.projected);
    }
    return accepted;
  };
}

/** Uses the `bbox` member that a GeoJSON feature may have; empty without a geometry. */
function bboxOf({ bbox, geometry }: Feature): Bbox {
  if (bbox?.length === 4) return bbox;
  return geometry === null ? emptyBbox() : bboxOfGeometry(geometry);
}

function bboxOfRect({ minX, minY, maxX, maxY }: RectPx, viewport: Viewport): Bbox {
  const [west, north] = viewport.lngLat(minX, minY);
  const [east, south] = viewport.lngLat(maxX, maxY);
  return [west, south, east, north];
}

class Projection {
  private readonly world: number;
  private readonly bbox: Bbox;
  private readonly rect: RectPx;
  private readonly viewport: Viewport;
  private readonly tolerancePx: number;
  /** Origin and resolution of MapLibre's vertex grid */
  private readonly originX: number;
  private readonly originY: number;
  private readonly stepsPerPx: number;

  constructor(viewport: Viewport, world: number, rect: RectPx, tileZoom: number) {
    this.viewport = viewport;
    this.world = world;
    const [west, south, east, north] = bboxOfRect(rect, viewport);
    this.bbox = [west - 360 * world, south, east - 360 * world, north];
    this.rect = rect;
    this.tolerancePx =
      tileZoom === MAX_TILE_ZOOM ? 0 : TOLERANCE_PX * 2 ** (viewport.zoom - tileZoom);
    this.originX = viewport.xOfWorld(0);
    this.originY = viewport.yOfWorld(0);
    this.stepsPerPx = (TILE_EXTENT * 2 ** tileZoom) / worldSizePx(viewport.zoom);
  }

  add(geometry: Geometry, shape: ScreenShape): void {
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

  private addPoint(position: Position, shape: ScreenShape): void {
    if (this.outcode(position) !== 0) return;
    const point: FlatPoints = [];
    this.pushProjected(point, position);
    shape.points.push(...this.snapToGrid(point));
  }

  private addLine(line: readonly Position[], shape: ScreenShape): void {
    let run: FlatPoints = [];
    const endRun = () => {
      for (const piece of run.length < 4 ? [] : clipLine(run, this.rect)) {
        shape.lines.push(this.snapToGrid(simplifyLine(piece, this.tolerancePx)));
      }
      run = [];
    };
    for (let i = 1; i < line.length; i++) {
      // A segment is invisible if both ends lie beyond the same edge.
      if ((this.outcode(line[i - 1]!) & this.outcode(line[i]!)) !== 0) endRun();
      else {
        if (run.length === 0) this.pushProjected(run, line[i - 1]!);
        this.pushProjected(run, line[i]!);
      }
    }
    endRun();
  }

  private addPolygon(rings: readonly Position[][], shape: ScreenShape): void {
    const [outer, ...holes] = rings.map((ring) => this.projectRing(ring));
    if (outer === undefined || outer.length === 0) return;
    shape.polygons.push([outer, ...holes.filter((hole) => hole.length > 0)]);
  }

  private projectRing(positions: readonly Position[]): FlatPoints {
    const clipped = clipRing(this.projectRelevantVertices(positions), this.rect);
    return this.snapToGrid(simplifyRing(clipped, this.tolerancePx));
  }

  /**
   * Projects a ring without its irrelevant vertices: one that lies beyond the same edge as both its
   * neighbors changes nothing inside. Comparing degrees is far cheaper than projecting, and a city
   * map shows little of a country's outline.
   */
  private projectRelevantVertices(positions: readonly Position[]): FlatPoints {
    const ring: FlatPoints = [];
    const count = positions.length - 1; // GeoJSON repeats the first position at the end
    let keptCode = 0;
    let code = count > 0 ? this.outcode(positions[0]!) : 0;
    for (let i = 0; i < count; i++) {
      const nextCode = this.outcode(positions[i + 1]!);
      // The first vertex always stays, because its predecessor may still be dropped.
      if (i === 0 || (keptCode & code & nextCode) === 0) {
        this.pushProjected(ring, positions[i]!);
        keptCode = code;
      }
      code = nextCode;
    }
    return ring;
  }

  /** Bit mask of the edges that a position lies beyond (Cohen and Sutherland) */
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

  private pushProjected(points: FlatPoints, [lng, lat]: Position): void {
    const { viewport, world } = this;
    points.push(viewport.xOfWorld(mercatorX(lng!) + world), viewport.y(lat!));
  }

  /** Changes the points. */
  private snapToGrid(points: FlatPoints): FlatPoints {
    const { originX, originY, stepsPerPx } = this;
    for (let i = 0; i < points.length; i += 2) {
      points[i] = originX + Math.round((points[i]! - originX) * stepsPerPx) / stepsPerPx;
      points[i + 1] = originY + Math.round((points[i + 1]! - originY) * stepsPerPx) / stepsPerPx;
    }
    return points;
  }
}
