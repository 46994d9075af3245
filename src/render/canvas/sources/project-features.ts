/**
 * Projects GeoJSON features to pixels, clips them to the picture, and simplifies them to what can be
 * seen. A picture that shows several copies of the world gets its features in each copy.
 */
import type { Feature, Geometry } from 'geojson';
import { bboxOfGeometry, emptyBbox, type Bbox } from '../../../base/spatial/bbox.ts';
import type { Viewport } from '../../../base/spatial/camera.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import { WORLD_COPIES } from '../../../base/spatial/covering-tiles.ts';
import { clipLine, clipRing } from '../../../base/spatial/clip.ts';
import { growRect, type FlatPoints, type RectPx } from '../../../base/spatial/flat.ts';
import {
  FlatGeometry,
  FlatWriter,
  isFlatType,
  type Coordinates,
  type Span,
} from '../../../base/spatial/flat-geometry.ts';
import { mercatorX, TILE_SIZE_PX, worldSizePx } from '../../../base/spatial/mercator.ts';
import { simplifyLine, simplifyRing } from '../../../base/spatial/simplify.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { tilesInView } from '../../vector-tiles.ts';
import { tileRect } from './project-tiles.ts';
import {
  isEmptyShape,
  clipRectOf,
  ScreenFeature,
  type ReadPassing,
  type ScreenShape,
} from './screen-feature.ts';
import type { GeoJsonTiling } from '../style/compiled-style.ts';
import { tileZoomOf } from '../style/property-values.ts';
import { styleFeature, TILE_EXTENT, type StyleFeature } from '../style/style-feature.ts';

/** MapLibre cuts GeoJSON into tiles up to this zoom. */
const MAX_TILE_ZOOM = 18;

/** The tiles into which MapLibre cuts GeoJSON for a view, in drawing order. */
export function geoJsonTiles(view: View3): TileAddress[] {
  return tilesInView(view, { minzoom: 0, maxzoom: MAX_TILE_ZOOM });
}

/** MapLibre simplifies GeoJSON by this many tile pixels, except at `MAX_TILE_ZOOM`. */
const TOLERANCE_PX = 0.375;

export function projectFeatures(features: readonly Feature[], view: View3): ReadPassing {
  const tileZoom = Math.min(MAX_TILE_ZOOM, tileZoomOf(view.zoom));
  return projectIntoRect(clipRectOf(view), null, tileZoom, features, view);
}

/** MapLibre's default margin around a GeoJSON tile, as a fraction of its side */
const TILE_MARGIN = 1 / 4;

/**
 * Reads the features tile by tile, as MapLibre cuts GeoJSON: dashes and other distances along a line
 * start where a tile's margin cuts it.
 */
export function projectFeaturesByTile(features: readonly Feature[], viewport: View3): ReadPassing {
  const tiles = geoJsonTiles(viewport).map((address) => {
    const square = tileRect(address, viewport);
    const rect = growRect(square, TILE_MARGIN * (square.maxX - square.minX));
    return projectIntoRect(rect, square, address.z, features, viewport);
  });
  return (filter) => tiles.flatMap((read) => read(filter));
}

/** Whether a source keeps the defaults, which the functions above assume. */
export const isCutByDefault = ({ maxZoom, buffer, tolerance, extent }: GeoJsonTiling): boolean =>
  maxZoom === MAX_TILE_ZOOM &&
  buffer === TILE_MARGIN * extent! &&
  tolerance === (TOLERANCE_PX * extent!) / TILE_SIZE_PX;

/** A feature that meets the picture or a tile, in some copies of the world; 0 is the original. */
interface Candidate {
  style: StyleFeature;
  geometry: Geometry;
  first: number;
  last: number;
  /** Undefined until a layer shows the feature; null if it isn't visible */
  projected: ScreenFeature | null | undefined;
}

function projectIntoRect(
  rect: RectPx,
  tile: RectPx | null,
  tileZoom: number,
  features: readonly Feature[],
  viewport: Viewport,
): ReadPassing {
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
  return (filter) => {
    const passing: ScreenFeature[] = [];
    for (const candidate of candidates) {
      if (!filter.passes(candidate.style)) continue;
      if (candidate.projected === undefined) candidate.projected = project(candidate);
      if (candidate.projected !== null) passing.push(candidate.projected);
    }
    return passing;
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

/** Null for a collection. The shape is valid until the next one. */
function flatten(geometry: Geometry | FlatGeometry): FlatGeometry | null {
  if (geometry instanceof FlatGeometry) return geometry;
  if (!isFlatType(geometry.type)) return null;
  writer.clear();
  writer.write(geometry as Coordinates, false);
  return writer.shape(geometry.type);
}

const writer = new FlatWriter();

class Projection {
  private readonly world: number;
  /** Edges of the area, in degrees */
  private readonly west: number;
  private readonly south: number;
  private readonly east: number;
  private readonly north: number;
  private readonly rect: RectPx;
  private readonly viewport: Viewport;
  private readonly tolerancePx: number;
  /** Origin and resolution of MapLibre's vertex grid */
  private readonly originX: number;
  private readonly originY: number;
  private readonly stepsPerPx: number;
  /** Longitudes and latitudes of the shape that is projected */
  private numbers: Float64Array = new Float64Array(0);

  constructor(viewport: Viewport, world: number, rect: RectPx, tileZoom: number) {
    this.viewport = viewport;
    this.world = world;
    const [west, south, east, north] = bboxOfRect(rect, viewport);
    this.west = west - 360 * world;
    this.east = east - 360 * world;
    this.south = south;
    this.north = north;
    this.rect = rect;
    this.tolerancePx =
      tileZoom === MAX_TILE_ZOOM ? 0 : TOLERANCE_PX * 2 ** (viewport.zoom - tileZoom);
    this.originX = viewport.xOfWorld(0);
    this.originY = viewport.yOfWorld(0);
    this.stepsPerPx = (TILE_EXTENT * 2 ** tileZoom) / worldSizePx(viewport.zoom);
  }

  add(geometry: Geometry, shape: ScreenShape): void {
    const flat = flatten(geometry);
    if (flat === null) return;
    this.numbers = flat.positions.numbers;
    switch (flat.type) {
      case 'Point':
      case 'MultiPoint':
        for (const at of flat.points) this.addPoint(at, shape);
        return;
      case 'LineString':
      case 'MultiLineString':
        for (const line of flat.lines) this.addLine(line, shape);
        return;
      case 'Polygon':
      case 'MultiPolygon':
        for (const rings of flat.polygons) this.addPolygon(rings, shape);
    }
  }

  private addPoint(at: number, shape: ScreenShape): void {
    if (this.outcode(at) !== 0) return;
    const point: FlatPoints = [];
    this.pushProjected(point, at);
    shape.points.push(...this.snapToGrid(point));
  }

  private addLine({ start, end }: Span, shape: ScreenShape): void {
    let run: FlatPoints = [];
    const endRun = () => {
      for (const piece of run.length < 4 ? [] : clipLine(run, this.rect)) {
        shape.lines.push(this.snapToGrid(simplifyLine(piece, this.tolerancePx)));
      }
      run = [];
    };
    for (let at = start + 2; at < end; at += 2) {
      // A segment is invisible if both ends lie beyond the same edge.
      if ((this.outcode(at - 2) & this.outcode(at)) !== 0) endRun();
      else {
        if (run.length === 0) this.pushProjected(run, at - 2);
        this.pushProjected(run, at);
      }
    }
    endRun();
  }

  private addPolygon(rings: readonly Span[], shape: ScreenShape): void {
    const [outer, ...holes] = rings.map((ring) => this.projectRing(ring));
    if (outer === undefined || outer.length === 0) return;
    shape.polygons.push([outer, ...holes.filter((hole) => hole.length > 0)]);
  }

  private projectRing(ring: Span): FlatPoints {
    const clipped = clipRing(this.projectRelevantVertices(ring), this.rect);
    return this.snapToGrid(simplifyRing(clipped, this.tolerancePx));
  }

  /**
   * Projects a ring without its irrelevant vertices: one that lies beyond the same edge as both its
   * neighbors changes nothing inside. Comparing degrees is far cheaper than projecting, and a city
   * map shows little of a country's outline.
   */
  private projectRelevantVertices({ start, end }: Span): FlatPoints {
    const ring: FlatPoints = [];
    const { numbers } = this;
    const last = end - 2;
    // Closed rings repeat the first position at the end.
    const isClosed = numbers[start] === numbers[last] && numbers[start + 1] === numbers[last + 1];
    const stop = isClosed ? last : end;
    let keptCode = 0;
    let code = start < stop ? this.outcode(start) : 0;
    for (let at = start; at < stop; at += 2) {
      const nextCode = this.outcode(at + 2 < end ? at + 2 : start);
      // The first vertex always stays, because its predecessor may still be dropped.
      if (at === start || (keptCode & code & nextCode) === 0) {
        this.pushProjected(ring, at);
        keptCode = code;
      }
      code = nextCode;
    }
    return ring;
  }

  /** Bit mask of the edges that a position lies beyond (Cohen and Sutherland) */
  private outcode(at: number): number {
    const { numbers, west, south, east, north } = this;
    const lng = numbers[at]!;
    const lat = numbers[at + 1]!;
    return (
      (lng < west ? 1 : 0) | (lng > east ? 2 : 0) | (lat < south ? 4 : 0) | (lat > north ? 8 : 0)
    );
  }

  private pushProjected(points: FlatPoints, at: number): void {
    const { viewport, world, numbers } = this;
    points.push(viewport.xOfWorld(mercatorX(numbers[at]!) + world), viewport.y(numbers[at + 1]!));
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
