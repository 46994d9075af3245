/**
 * GeoJSON features to pixels: what cannot be seen is left out, what is too fine to be seen thinned,
 * before anything is drawn. Where the picture reaches around the world, so do the features.
 */
import type { Feature, Geometry, Position } from 'geojson';
import { bboxOfGeometry, emptyBbox, type Bbox } from '../../spatial/bbox.ts';
import type { Viewport } from '../../spatial/camera.ts';
import { clipLine, clipRing } from '../../spatial/clip.ts';
import type { FlatPoints, RectPx } from '../../spatial/flat.ts';
import { mercatorX, worldSizePx } from '../../spatial/mercator.ts';
import { simplifyLine, simplifyRing } from '../../spatial/simplify.ts';
import { tilesInView, WORLD_COPIES } from '../vector-tiles.ts';
import { squareOf } from './project-tiles.ts';
import { isEmptyShape, keptRect, ScreenFeature, type Shape } from './screen-feature.ts';
import { styleFeature, tileZoomOf } from './values.ts';

/** MapLibre's tiles, GeoJSON's too, place vertices on a grid: this many steps to a tile's side. */
const TILE_EXTENT = 8192;

/** Above this zoom MapLibre makes no finer tiles of GeoJSON. */
const FINEST_TILES = 18;

/** By which MapLibre thins GeoJSON for its tiles, in their pixels; those of `FINEST_TILES` stay whole. */
const TOLERANCE_PX = 0.375;

/** The features that may show, in their order. */
export function projectFeatures(features: readonly Feature[], viewport: Viewport): ScreenFeature[] {
  return projectInto(keptRect(viewport), null, features, viewport);
}

/** GeoJSON tiles keep this part of their side on each side of it, by default. */
const TILE_MARGIN = 1 / 4;

/**
 * The features tile by tile, as MapLibre cuts GeoJSON: what is measured along a line, such as its
 * dashes, begins where a tile's margin cuts it.
 */
export function projectFeaturesByTile(
  features: readonly Feature[],
  viewport: Viewport,
): ScreenFeature[] {
  return tilesInView(viewport, { minzoom: 0, maxzoom: FINEST_TILES }).flatMap((address) => {
    const square = squareOf(address, viewport);
    const marginPx = TILE_MARGIN * (square.maxX - square.minX);
    const rect: RectPx = {
      minX: square.minX - marginPx,
      minY: square.minY - marginPx,
      maxX: square.maxX + marginPx,
      maxY: square.maxY + marginPx,
    };
    return projectInto(rect, square, features, viewport);
  });
}

function projectInto(
  rect: RectPx,
  tile: RectPx | null,
  features: readonly Feature[],
  viewport: Viewport,
): ScreenFeature[] {
  const worlds = new Map<number, Projection>();
  const projectionOf = (world: number) => {
    let projection = worlds.get(world);
    if (projection === undefined) {
      projection = new Projection(viewport, world, rect);
      worlds.set(world, projection);
    }
    return projection;
  };
  const [westmost, south, eastmost, north] = bboxOfRect(rect, viewport);
  const projected: ScreenFeature[] = [];
  for (const feature of features) {
    const bbox = bboxOf(feature);
    if (bbox[1] > north || bbox[3] < south) continue;
    // Copies of the world in which the feature meets the view, 0 for the world itself
    const first = Math.max(-WORLD_COPIES, Math.ceil((westmost - bbox[2]) / 360));
    const last = Math.min(WORLD_COPIES, Math.floor((eastmost - bbox[0]) / 360));
    const style = first <= last ? styleFeature(feature) : null;
    if (style === null) continue;
    const shape: Shape = { polygons: [], lines: [], points: [] };
    for (let world = first; world <= last; world++) {
      projectionOf(world).add(feature.geometry, shape);
    }
    if (!isEmptyShape(shape)) projected.push(new ScreenFeature(style, shape, tile));
  }
  return projected;
}

/** A feature may bring its box along, as GeoJSON lets it; one without a geometry has none. */
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
  /** Of the grid that MapLibre puts vertices on: where it begins, and how fine it is */
  private readonly originX: number;
  private readonly originY: number;
  private readonly stepsOfPx: number;

  constructor(viewport: Viewport, world: number, rect: RectPx) {
    this.viewport = viewport;
    this.world = world;
    const [west, south, east, north] = bboxOfRect(rect, viewport);
    this.bbox = [west - 360 * world, south, east - 360 * world, north];
    this.rect = rect;
    const tileZoom = Math.min(FINEST_TILES, tileZoomOf(viewport.zoom));
    this.tolerancePx =
      tileZoom === FINEST_TILES ? 0 : TOLERANCE_PX * 2 ** (viewport.zoom - tileZoom);
    this.originX = viewport.xOfWorld(0);
    this.originY = viewport.yOfWorld(0);
    this.stepsOfPx = (TILE_EXTENT * 2 ** tileZoom) / worldSizePx(viewport.zoom);
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
    if (this.outcode(position) !== 0) return;
    const point: FlatPoints = [];
    this.push(point, position);
    shape.points.push(...this.onGrid(point));
  }

  private addLine(line: readonly Position[], shape: Shape): void {
    let run: FlatPoints = [];
    const endRun = () => {
      for (const piece of run.length < 4 ? [] : clipLine(run, this.rect)) {
        shape.lines.push(this.onGrid(simplifyLine(piece, this.tolerancePx)));
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
    return this.onGrid(simplifyRing(clipped, this.tolerancePx));
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

  private push(points: FlatPoints, [lng, lat]: Position): void {
    const { viewport, world } = this;
    points.push(viewport.xOfWorld(mercatorX(lng!) + world), viewport.y(lat!));
  }

  /** Thinned shapes, with each vertex on MapLibre's grid. */
  private onGrid(points: FlatPoints): FlatPoints {
    const { originX, originY, stepsOfPx } = this;
    return points.map((coordinate, i) => {
      const origin = i % 2 === 0 ? originX : originY;
      return origin + Math.round((coordinate - origin) * stepsOfPx) / stepsOfPx;
    });
  }
}
