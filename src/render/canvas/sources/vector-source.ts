/** Opens vector tiles. Features are in MapLibre's integer tile units. */
import { VectorTile, VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { clipLine, clipRing } from '../../../spatial/clip.ts';
import { growRect, rectContains, rectOf, type FlatPoints } from '../../../spatial/flat.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { TILE_EXTENT, TileStyle, type StyleFeature } from '../style/style-feature.ts';
import { InvalidSceneError } from '../../errors.ts';
import {
  shownTiles,
  tileName,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../../vector-tiles.ts';
import { DecodedTiles } from './decoded-tiles.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';

/** Opens the tiles of a scene. Their features are shared with other pictures of this thread. */
export function vectorSource(tileSet: TileSet): TiledSource {
  const encodedTiles = new Map(tileSet.tiles.map((tile) => [tileName(tile), tile]));
  const openTiles = new Map<EncodedTile, OpenTile>();

  const read = (address: TileAddress, sourceLayer: string): readonly TileFeature[] => {
    // Above the last zoom with tiles, read a slice of a tile of that zoom.
    const count = 2 ** Math.max(0, address.z - tileSet.maxzoom);
    const [x, y] = [Math.floor(address.x / count), Math.floor(address.y / count)];
    const tile = encodedTiles.get(tileName({ z: Math.min(address.z, tileSet.maxzoom), x, y }));
    if (tile === undefined) return [];
    const slice = { count, column: address.x - x * count, row: address.y - y * count };
    // Archives store equal tiles once, so the same bytes may belong to several addresses.
    const key = `${tileName(address)}/${count}/${sourceLayer}`;
    return decodedTiles.featuresOf(tile.bytes, key, () => {
      const open = openTiles.get(tile) ?? new OpenTile(tile);
      openTiles.set(tile, open);
      return sliceFeatures(open.layer(sourceLayer), slice, address);
    });
  };
  return {
    type: 'tiled',
    tilesIn: (view) => shownTiles(view, tileSet),
    featuresIn: (address, sourceLayer) => read(wrapTile(address), sourceLayer!),
  };
}

const decodedTiles = new DecodedTiles();

/** A tile whose layers are decoded when they are needed, each once */
class OpenTile {
  private readonly tile: EncodedTile;
  private readonly layers = new Map<string, readonly WholeFeature[]>();
  private content: VectorTile | null = null;

  constructor(tile: EncodedTile) {
    this.tile = tile;
  }

  /** Returns the features of a layer. @throws InvalidSceneError */
  layer(name: string): readonly WholeFeature[] {
    let features = this.layers.get(name);
    if (features !== undefined) return features;
    try {
      this.content ??= new VectorTile(new PbfReader(this.tile.bytes));
      features = wholeFeatures(this.content.layers[name]);
    } catch (error) {
      throw new InvalidSceneError([
        `the tile ${tileName(this.tile)} is not a valid Mapbox Vector Tile: ${String(error)}`,
      ]);
    }
    this.layers.set(name, features);
    return features;
  }
}

/** A feature in the units of its tile */
interface WholeFeature extends Pick<VectorTileFeature, 'id' | 'properties' | 'extent'> {
  type: StyleFeature['type'];
  parts: readonly FlatPoints[];
}

function wholeFeatures(layer: VectorTileLayer | undefined): WholeFeature[] {
  const features: WholeFeature[] = [];
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer!.feature(i);
    if (feature.type === 0) continue;
    const { id, properties, extent } = feature;
    const type = VectorTileFeature.types[feature.type] as StyleFeature['type'];
    features.push({ type, id, properties, extent, parts: partsOf(feature) });
  }
  return features;
}

function partsOf(feature: VectorTileFeature): FlatPoints[] {
  const parts: FlatPoints[] = [];
  for (const vertices of feature.loadGeometry()) {
    if (feature.type === 1) {
      for (const { x, y } of vertices) parts.push([x, y]);
      continue;
    }
    // Rings repeat their first vertex at the end.
    const count = feature.type === 3 ? vertices.length - 1 : vertices.length;
    const part: FlatPoints = [];
    for (let i = 0; i < count; i++) part.push(vertices[i]!.x, vertices[i]!.y);
    parts.push(part);
  }
  return parts;
}

/** A tile of a higher zoom, cut out of an enlarged tile */
interface Slice {
  /** Slices per side of the enlarged tile */
  count: number;
  column: number;
  row: number;
}

/**
 * Returns the features of a tile layer in their order, cut to a slice of the tile.
 *
 * @param tile address of the slice
 */
function sliceFeatures(
  features: readonly WholeFeature[],
  slice: Slice,
  tile: TileAddress,
): TileFeature[] {
  const cut: TileFeature[] = [];
  for (const { type, id, properties, extent, parts } of features) {
    const shown = clipToSlice(toSliceUnits(parts, extent, slice), type, extent, slice);
    if (shown.length === 0) continue;
    const scale = TILE_EXTENT / extent;
    const rounded = shown.map((part) => part.map((value) => Math.round(value * scale)));
    cut.push({ style: new TileStyle(type, id, properties, tile, rounded), parts: rounded });
  }
  return cut;
}

function toSliceUnits(
  parts: readonly FlatPoints[],
  extent: number,
  { count, column, row }: Slice,
): readonly FlatPoints[] {
  if (count === 1) return parts;
  return parts.map((part) =>
    part.map((value, i) => value * count - (i % 2 === 0 ? column : row) * extent),
  );
}

/** Margin kept around a slice, in 1/4096 of its side */
const MARGIN = 128;

function clipToSlice(
  parts: readonly FlatPoints[],
  type: StyleFeature['type'],
  extent: number,
  { count }: Slice,
): readonly FlatPoints[] {
  if (count === 1) return parts;
  const margin = Math.max(MARGIN, Math.round((MARGIN * extent) / 4096));
  const rect = growRect({ minX: 0, minY: 0, maxX: extent, maxY: extent }, margin);
  switch (type) {
    case 'Point':
      return parts.filter((point) => rectContains(rect, rectOf(point)));
    case 'LineString':
      return parts.flatMap((line) => clipLine(line, rect));
    case 'Polygon':
      return parts.map((ring) => clipRing(ring, rect)).filter((ring) => ring.length > 0);
  }
}
