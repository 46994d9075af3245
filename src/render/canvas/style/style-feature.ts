/** Features in the form that expressions evaluate. */
import type { Feature } from 'geojson';
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';

/** Side of a tile in tile units */
export const TILE_EXTENT = 8192;

export interface StyleFeature {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly id?: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The parts of the shape in `tile`, in tile units, for `within` and `distance` */
  readonly geometry?: readonly (readonly { x: number; y: number }[])[];
  readonly tile?: TileAddress;
}

/** Converts a GeoJSON feature; null for geometry collections and features without geometry. */
export function styleFeature({ id, geometry, properties }: Feature): StyleFeature | null {
  if (geometry === null || geometry.type === 'GeometryCollection') return null;
  return {
    type: geometry.type.replace('Multi', '') as StyleFeature['type'],
    id: styleId(id),
    properties: properties ?? {},
  };
}

/** As in MapLibre, ids are converted to numbers, as tiles store them. */
export function styleId(id: string | number | undefined): number | undefined {
  return typeof id === 'string' ? Number.parseInt(id, 10) : id;
}

/** A feature of a tile. `within` and `distance` also read its shape. */
export class TileStyle implements StyleFeature {
  readonly type: StyleFeature['type'];
  readonly id: number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly tile: TileAddress;
  private readonly parts: readonly FlatPoints[];

  /** @param parts single points, lines, or rings without a repeated last point, in tile units */
  constructor(
    type: StyleFeature['type'],
    id: number | undefined,
    properties: Readonly<Record<string, unknown>>,
    tile: TileAddress,
    parts: readonly FlatPoints[],
  ) {
    this.type = type;
    this.id = id;
    this.properties = properties;
    this.tile = tile;
    this.parts = parts;
  }

  get geometry(): { x: number; y: number }[][] {
    return this.parts.map((part) => {
      const points = Array.from({ length: part.length / 2 }, (_, i) => ({
        x: part[2 * i]!,
        y: part[2 * i + 1]!,
      }));
      return this.type === 'Polygon' ? [...points, points[0]!] : points;
    });
  }
}
