/** Opens vector tiles. Features are in MapLibre's integer tile units. */
import { VectorTile, VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { clipLine, clipRing } from '../../../base/spatial/clip.ts';
import {
  growRect,
  rectOf,
  rectsMeet,
  type FlatPoints,
  type RectPx,
} from '../../../base/spatial/flat.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { TILE_EXTENT, TileStyle, type StyleFeature } from '../style/style-feature.ts';
import { InvalidSceneError } from '../../errors.ts';
import {
  shownTiles,
  tileName,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../../vector-tiles.ts';
import { DecodedTiles, type DecodedFeature } from './decoded-tiles.ts';
import type { TileFeature, TiledSource } from './tiled-source.ts';

/** Opens the tiles of a scene. Their features are shared with other pictures of this thread. */
export function vectorSource(tileSet: TileSet): TiledSource {
  const encodedTiles = new Map(tileSet.tiles.map((tile) => [tileName(tile), tile]));
  const openTiles = new Map<EncodedTile, OpenTile>();
  /** A large picture may need more tiles than are kept. */
  const inPicture = new Map<string, readonly TileFeature[]>();

  const read = (address: TileAddress, sourceLayer: string): readonly TileFeature[] => {
    // Above the last zoom with tiles, read a slice of a tile of that zoom.
    const count = 2 ** Math.max(0, address.z - tileSet.maxzoom);
    const [x, y] = [Math.floor(address.x / count), Math.floor(address.y / count)];
    const tile = encodedTiles.get(tileName({ z: Math.min(address.z, tileSet.maxzoom), x, y }));
    if (tile === undefined) return [];
    const slice = { count, column: address.x - x * count, row: address.y - y * count };
    const decode = () => {
      const open = openTiles.get(tile) ?? new OpenTile(tile);
      openTiles.set(tile, open);
      return open.decode(sourceLayer);
    };
    // Later pictures may show other slices.
    const whole = () =>
      count === 1 ? decode() : decodedTiles.featuresOf(tile.bytes, `whole/${sourceLayer}`, decode);
    // Archives store equal tiles once, so the same bytes may belong to several addresses.
    const key = `${count}/${tileName(address)}/${sourceLayer}`;
    return decodedTiles.featuresOf(tile.bytes, key, () => sliceFeatures(whole(), slice, address));
  };
  return {
    type: 'tiled',
    tilesIn: (view) => shownTiles(view, tileSet),
    featuresIn(address, sourceLayer) {
      const wrapped = wrapTile(address);
      const key = `${tileName(wrapped)}/${sourceLayer}`;
      const features = inPicture.get(key) ?? read(wrapped, sourceLayer!);
      inPicture.set(key, features);
      return features;
    },
  };
}

const decodedTiles = new DecodedTiles();

/** A tile, which is opened for the first of its layers that must be decoded */
class OpenTile {
  private readonly tile: EncodedTile;
  private content: VectorTile | null = null;

  constructor(tile: EncodedTile) {
    this.tile = tile;
  }

  /** Decodes a layer. @throws InvalidSceneError */
  decode(name: string): WholeFeature[] {
    try {
      this.content ??= new VectorTile(new PbfReader(this.tile.bytes));
      const layer = this.content.layers[name];
      return layer === undefined ? [] : wholeFeatures(layer);
    } catch (error) {
      throw new InvalidSceneError([
        `the tile ${tileName(this.tile)} is not a valid Mapbox Vector Tile: ${String(error)}`,
      ]);
    }
  }
}

/** A feature of a whole tile */
interface WholeFeature extends DecodedFeature {
  style: Pick<StyleFeature, 'type' | 'properties'> & { id: number | undefined };
  /** Side of the tile, in its units */
  extent: number;
}

function wholeFeatures(layer: VectorTileLayer): WholeFeature[] {
  const features: WholeFeature[] = [];
  for (let i = 0; i < layer.length; i++) {
    const feature = layer.feature(i);
    if (feature.type === 0) continue;
    const { id, properties, extent } = feature;
    const type = VectorTileFeature.types[feature.type] as StyleFeature['type'];
    features.push({ style: { type, id, properties }, extent, parts: partsOf(feature) });
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
  for (const { style, extent, parts } of features) {
    const { type, id, properties } = style;
    const shown = slice.count === 1 ? parts : clipToSlice(parts, type, extent, slice);
    if (shown.length === 0) continue;
    const scale = TILE_EXTENT / extent;
    const rounded = shown.map((part) => part.map((value) => Math.round(value * scale)));
    cut.push({ style: new TileStyle(type, id, properties, tile, rounded), parts: rounded });
  }
  return cut;
}

/** Margin kept around a slice, in 1/4096 of its side */
const MARGIN = 128;

function clipToSlice(
  parts: readonly FlatPoints[],
  type: StyleFeature['type'],
  extent: number,
  slice: Slice,
): FlatPoints[] {
  const margin = Math.max(MARGIN, Math.round((MARGIN * extent) / 4096));
  const rect = growRect({ minX: 0, minY: 0, maxX: extent, maxY: extent }, margin);
  const clipped: FlatPoints[] = [];
  for (const part of parts) {
    // Most parts of a tile lie in other slices.
    const { minX, minY, maxX, maxY } = rectOf(part);
    const [left, top, right, bottom] = toSliceUnits([minX, minY, maxX, maxY], extent, slice);
    const bounds = { minX: left!, minY: top!, maxX: right!, maxY: bottom! };
    if (!rectsMeet(bounds, rect)) continue;
    const points = toSliceUnits(part, extent, slice);
    for (const piece of clipPart(points, type, rect)) clipped.push(piece);
  }
  return clipped;
}

function clipPart(part: FlatPoints, type: StyleFeature['type'], rect: RectPx): FlatPoints[] {
  if (type === 'Point') return [part];
  if (type === 'LineString') return clipLine(part, rect);
  const ring = clipRing(part, rect);
  return ring.length === 0 ? [] : [ring];
}

function toSliceUnits(part: FlatPoints, extent: number, { count, column, row }: Slice): FlatPoints {
  return part.map((value, i) => value * count - (i % 2 === 0 ? column : row) * extent);
}
