/** Exports vector tiles of the basemap and of all ZIP codes as one archive. */
import { contextTiles } from '../../../data/basemap/context-tiles.ts';
import { joinSources } from '../../../data/basemap/sources.ts';
import type { TileLayer } from '../../../data/basemap/tiles.ts';
import {
  inArchiveOrder,
  writePmtiles,
  type WrittenArchive,
} from '../../../data/basemap/write-pmtiles.ts';
import type { Database, Queryable } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { badRequest, unavailable } from '../../../errors.ts';
import { bboxAround, type Bbox } from '../../../base/spatial/bbox.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { NATIONAL_ZIP_ZOOMS, nationalZipTile } from './national-zip-tiles.ts';

export const EXPORT_LAYERS = ['basemap', 'zips'] as const;
export type ExportLayer = (typeof EXPORT_LAYERS)[number];

/** The highest zoom with tiles. Maps enlarge these at higher zooms. */
export const EXPORT_MAX_ZOOM = contextTiles.maxZoom;

interface TileExport {
  layers: readonly ExportLayer[];
  minZoom: number;
  maxZoom: number;
  /** Default: the extent of the basemap */
  bbox?: Bbox | undefined;
}

const ZIP_LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIP codes', fields: { zip: 'String', place: 'String: post office' } },
  {
    id: 'zip-labels',
    description: 'Label positions of the ZIP codes',
    fields: { zip: 'String', labelZoom: 'Number: zoom from which the label fits inside' },
  },
];

/** Tiles to create concurrently: the database loads some while others are encoded. */
const AT_ONCE = 8;

/**
 * Writes a PMTiles archive.
 * @param report receives the number of tiles so far and in total
 * @throws ServiceError 400 for an empty range of zooms; 503 before the first import, or if an import
 *   changes the data meanwhile
 */
export async function exportTiles(
  db: Database,
  file: string,
  { layers, minZoom, maxZoom, bbox }: TileExport,
  report: (done: number, total: number) => void = () => {},
): Promise<WrittenArchive> {
  if (minZoom > maxZoom) throw badRequest(`The zooms ${minZoom} to ${maxZoom} contain no tile.`);
  const imported = importedData(db, ['boundaries', ...contextTiles.datasets]);
  const stamp = await imported.stamp();
  const reads = imported.at(stamp);
  const [{ sources, bounds: all }, datasets] = await Promise.all([
    contextTiles.facts(reads),
    readDatasets(reads),
  ]);
  const bounds = bbox ?? all;
  const tiles = inArchiveOrder(addressesIn(bounds, minZoom, maxZoom));
  const boundaries = layers.includes('zips') ? [datasets.get('boundaries') ?? []].flat() : [];
  const written = await writePmtiles(file, tilesOf(reads, layers, tiles, report), {
    bounds: bboxAround([bounds]),
    minZoom,
    maxZoom,
    metadata: {
      name: 'Territory Intelligence',
      type: 'baselayer',
      attribution: joinSources([...(layers.includes('basemap') ? sources : []), ...boundaries]),
      vector_layers: [
        ...(layers.includes('basemap') ? contextTiles.layers : []),
        ...(layers.includes('zips') ? ZIP_LAYERS : []),
      ].map((layer) => ({ ...layer, minzoom: minZoom, maxzoom: maxZoom })),
    },
  });
  if ((await imported.stamp()) === stamp) return written;
  throw unavailable('The data was replaced during the export. Export again.');
}

function addressesIn([west, south, east, north]: Bbox, minZoom: number, maxZoom: number) {
  const tiles: TileAddress[] = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    const side = 2 ** z;
    const at = (fraction: number) => Math.max(0, Math.min(side - 1, Math.floor(fraction * side)));
    for (let x = at(mercatorX(west)); x <= at(mercatorX(east)); x++) {
      for (let y = at(mercatorY(north)); y <= at(mercatorY(south)); y++) tiles.push({ z, x, y });
    }
  }
  return tiles;
}

async function* tilesOf(
  db: Queryable,
  layers: readonly ExportLayer[],
  tiles: readonly TileAddress[],
  report: (done: number, total: number) => void,
) {
  for (let at = 0; at < tiles.length; at += AT_ONCE) {
    const batch = tiles.slice(at, at + AT_ONCE);
    const made = batch.map(async (address) => ({
      address,
      bytes: await tileOf(db, layers, address),
    }));
    yield* await Promise.all(made);
    report(Math.min(at + AT_ONCE, tiles.length), tiles.length);
  }
}

/** A tile is a list of layers, so two concatenated tiles are one tile with the layers of both. */
async function tileOf(
  db: Queryable,
  layers: readonly ExportLayer[],
  address: TileAddress,
): Promise<Buffer> {
  const hasZips = layers.includes('zips') && address.z >= NATIONAL_ZIP_ZOOMS.minZoom;
  return Buffer.concat(
    await Promise.all([
      ...(layers.includes('basemap') ? [contextTiles.tile(db, address)] : []),
      ...(hasZips ? [nationalZipTile(db, address)] : []),
    ]),
  );
}
