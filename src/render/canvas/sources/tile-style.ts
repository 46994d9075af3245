/** A feature of a tile as expressions see it: `within` and `distance` also read its shape. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import type { StyleFeature } from '../style/property-values.ts';

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
