/**
 * A PMTiles archive of streets in Protomaps' basemap schema: https://docs.protomaps.com/basemaps/layers. Its tiles stay
 * compressed, so that they can be passed on as they are.
 */
import { createHash } from 'node:crypto';
import { Compression, PMTiles, SharedPromiseCache, TileType, type Header } from 'pmtiles';
import { decompressPart } from '../../render/document/pmtiles.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import { htmlToText } from '../../base/text/html-to-text.ts';
import { openByteRanges, UnreadableError, type ByteRanges } from './byte-ranges.ts';
import { OSM_CREDITS } from './credits.ts';

/** What maps need to know about the streets that they show */
export interface StreetsFacts {
  /** The same for equal archives */
  version: string;
  minZoom: number;
  maxZoom: number;
  /** Every tile in this box exists, unless the archive was cut along another shape */
  bounds: Bbox;
  /** Plain text */
  attribution: string;
  /** Names of the layers in its tiles */
  sourceLayers: readonly string[];
}

export interface StreetsArchive extends StreetsFacts {
  /** Title in its metadata */
  readonly name: string;
  /** Of the schema, such as `4.13.7` */
  readonly schema: string;
  readonly bytes: number;
  /** Date of the OpenStreetMap data, as in ISO 8601; null if it isn't stated */
  readonly dataDate: string | null;
  readonly compression: 'gzip' | 'none';
  readonly layers: readonly ArchiveLayer[];
  /**
   * Returns a tile, compressed as in the archive, or null if there is none.
   *
   * @throws UnreadableError if it can't be read now; another error if the archive is damaged
   */
  readTile(tile: TileAddress): Promise<Uint8Array | null>;
  isReplaced(): Promise<boolean>;
  close(): Promise<void>;
}

interface ArchiveLayer {
  id: string;
  fields: Record<string, string>;
  minzoom?: number;
  maxzoom?: number;
}

/** The archive can be read, but isn't one of streets. The message is the rest of a sentence that starts with its name. */
export class WrongArchiveError extends Error {
  override name = 'WrongArchiveError';
}

const SCHEMA = 'Protomaps’ basemap schema, version 4';
const MAJOR_VERSION = '4';
const NEEDED_LAYERS = ['earth', 'water', 'landuse', 'roads', 'places'];
/** Layers by which other schemas are recognized */
const OTHER_SCHEMAS: readonly [layer: string, schema: string][] = [
  ['transportation', 'OpenMapTiles'],
  ['street_labels', 'Shortbread'],
  ['road', 'Mapbox Streets'],
  ['segment', 'Overture Maps'],
  ['zips', 'this service’s own'],
];

/** Each directory covers thousands of tiles. */
const CACHED_DIRECTORIES = 200;

/**
 * @param address a path, or a URL with http or https
 * @throws WrongArchiveError for another format or schema; Error if the archive is damaged or can't be read
 */
export async function openStreetsArchive(address: string): Promise<StreetsArchive> {
  const ranges = await openByteRanges(address);
  try {
    return await readArchive(ranges);
  } catch (error) {
    await ranges.close();
    if (error instanceof WrongArchiveError || error instanceof UnreadableError) throw error;
    throw new Error(`it is damaged: ${(error as Error).message}`, { cause: error });
  }
}

/** The header and the root directory, which has the size of each tile, or of each part of the archive */
const START_BYTES = 16_384;

async function readArchive(ranges: ByteRanges): Promise<StreetsArchive> {
  const start = Buffer.from((await ranges.getBytes(0, START_BYTES)).data);
  const format = versionOf(start);
  if (format === null) throw new WrongArchiveError('is not a PMTiles archive');
  if (format !== FORMAT) {
    throw new WrongArchiveError(
      `is a PMTiles archive of version ${format}. Maps need version ${FORMAT}: ` +
        (format < FORMAT ? 'convert it with `pmtiles convert OLD NEW`' : 'download one'),
    );
  }
  const cache = new SharedPromiseCache(CACHED_DIRECTORIES, true, decompressPart);
  const parts = new PMTiles(ranges, cache, decompressPart);
  // The same directories, but tiles as they are.
  const tiles = new PMTiles(ranges, cache, (data) => Promise.resolve(data));
  const header = await parts.getHeader();
  const end = header.tileDataOffset + (header.tileDataLength ?? 0);
  // The last byte exists, or the server says that it doesn't.
  if (ranges.bytes === Infinity) await ranges.getBytes(end - 1, 1);
  if (ranges.bytes < end) {
    throw new UnreadableError(`it is cut off: it has ${ranges.bytes} of ${end} bytes`);
  }
  const described = header.jsonMetadataLength > 0 ? await parts.getMetadata() : null;
  const metadata = (described ?? {}) as Record<string, unknown>;
  const layers = layersOf(metadata);
  const problem = problemOf(header, metadata, layers);
  if (problem !== undefined) throw new WrongArchiveError(problem);
  const text = (key: string) => (typeof metadata[key] === 'string' ? metadata[key] : null);
  const hash = createHash('sha256').update(start).update(JSON.stringify(metadata));
  return {
    version: hash.digest('base64url').slice(0, 10),
    name: text('name') ?? 'Streets',
    schema: text('version')!,
    bytes: Number.isFinite(ranges.bytes) ? ranges.bytes : end,
    dataDate: text('planetiler:osm:osmosisreplicationtime'),
    minZoom: header.minZoom,
    maxZoom: header.maxZoom,
    bounds: boundsOf(header),
    attribution: attributionIn(text('attribution')),
    compression: header.tileCompression === Compression.Gzip ? 'gzip' : 'none',
    layers,
    sourceLayers: layers.map(({ id }) => id),
    async readTile({ z, x, y }) {
      const tile = await tiles.getZxy(z, x, y);
      return tile === undefined ? null : new Uint8Array(tile.data);
    },
    isReplaced: () => ranges.isReplaced(),
    close: () => ranges.close(),
  };
}

/** Version of PMTiles */
const FORMAT = 3;

/** Returns the version of an archive by its first bytes, or null for another format. */
function versionOf(start: Buffer): number | null {
  const magic = start.toString('latin1', 0, 7);
  if (magic === 'PMTiles') return start[7] ?? null;
  // Versions 1 and 2 have the number right after two letters, in two bytes.
  const isOld = magic.startsWith('PM') && start[3] === 0 && (start[2] === 1 || start[2] === 2);
  return isOld ? start[2]! : null;
}

/** Some programs leave the bounds at zero. */
const boundsOf = ({ minLon, minLat, maxLon, maxLat }: Header): Bbox =>
  minLon < maxLon && minLat < maxLat ? [minLon, minLat, maxLon, maxLat] : [-180, -85, 180, 85];

function layersOf({ vector_layers: layers }: Record<string, unknown>): ArchiveLayer[] {
  return Array.isArray(layers)
    ? layers.flatMap((layer: Partial<ArchiveLayer> | null) =>
        typeof layer?.id === 'string'
          ? [{ ...layer, id: layer.id, fields: layer.fields ?? {} }]
          : [],
      )
    : [];
}

function problemOf(
  { tileType, tileCompression }: Header,
  { name, version }: Record<string, unknown>,
  layers: readonly ArchiveLayer[],
): string | undefined {
  const other = (what: string) => `${what}. Maps need ${SCHEMA}`;
  if (tileType !== TileType.Mvt) return other('doesn’t contain Mapbox Vector Tiles');
  if (tileCompression !== Compression.Gzip && tileCompression !== Compression.None) {
    return 'has tiles with a compression that browsers can’t read. Write it with gzip';
  }
  const ids = new Set(layers.map(({ id }) => id));
  const lacks = NEEDED_LAYERS.filter((id) => !ids.has(id));
  if (lacks.length > 0) {
    const known = OTHER_SCHEMAS.find(([id]) => ids.has(id))?.[1];
    const title = typeof name === 'string' ? `, “${name}”,` : '';
    return known === undefined
      ? other(`has another schema${title} without the layers ${lacks.join(', ')}`)
      : other(`has the schema ${known}${title} with the layers ${[...ids].join(', ')}`);
  }
  const major = typeof version === 'string' ? version.split('.')[0] : undefined;
  return major === MAJOR_VERSION
    ? undefined
    : other(`has version ${JSON.stringify(version ?? null)} of Protomaps’ basemap schema`);
}

/** Archives state their attribution as HTML. The license requires the words of the Open Database License. */
function attributionIn(html: string | null): string {
  if (html === null || /openstreetmap/i.test(html)) return OSM_CREDITS;
  return htmlToText(html) || OSM_CREDITS;
}
