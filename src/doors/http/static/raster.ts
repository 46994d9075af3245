/** Raster tiles of the basemap, for QGIS, Leaflet, and other maps that don't draw vector tiles. */
import { z } from 'zod';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { contextTiles } from '../../../data/basemap/context-tiles.ts';
import { joinSources } from '../../../data/basemap/sources.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';
import {
  indexInMetatile,
  metatileOf,
  RASTER_TILE_PX,
  RASTER_ZOOMS,
} from '../../../maps/cartography/tiles/raster-tiles.ts';
import { creditsHtml } from '../../../data/streets/credits.ts';
import type { MapData } from '../../../maps/cartography/map-data.ts';
import type { BasemapName } from '../../../maps/cartography/picture-options.ts';
import { basemapOption } from '../../../territories/static/options.ts';
import { oneOf } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import type { DataAt } from '../../../base/db/imported-data.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { ASK_FIRST, AT_ONCE, version, type AnswerCaches } from '../answers/answer-caches.ts';
import { insideWorld, tileParams } from '../basemap/tiles.ts';

const PNG = 'image/png';
const style = z
  .enum(STYLE_NAMES, oneOf(STYLE_NAMES))
  .meta({ description: 'Style', example: 'light' });

const RASTER = {
  method: 'get',
  tag: 'Static maps',
  auth: 'none',
  limit: 'raster',
  errors: [503],
} as const;

interface RasterParts {
  db: Database;
  renderer: MapRenderer;
  caches: AnswerCaches;
  /** URL of the API, without a trailing slash */
  apiRoot: () => string;
}

export const rasterOperations = (parts: RasterParts): Operation[] => [
  rasterTileOperation(parts),
  rasterTileJsonOperation(parts),
];

const ROW = /^(0|[1-9]\d{0,6})(\.0+)?(@2x)?$/;

const { z: zoom, x: column } = tileParams(RASTER_ZOOMS).shape;
const rasterTileParams = z
  .object({
    style,
    z: zoom,
    x: column,
    row: z
      .string()
      .regex(ROW, {
        error: 'must be a whole number, with @2x after it for sharp screens',
        abort: true,
      })
      .meta({
        description: 'Row, counted from the north; `@2x` after it for sharp screens',
        example: '412@2x',
      }),
  })
  .superRefine((tile, ctx) => insideWorld(addressOf(tile), (issue) => ctx.addIssue(issue)));

const addressOf = ({ row, ...tile }: z.output<typeof rasterTileParams>) => ({
  ...tile,
  y: Number.parseInt(row, 10),
  ratio: row.endsWith('@2x') ? (2 as const) : (1 as const),
});

function rasterTileOperation({ db, renderer, caches }: RasterParts): Operation {
  // The tiles of a metatile are drawn and cached together, because viewers need the neighbors next.
  const metatiles = caches.answers({
    name: 'raster metatiles',
    type: PNG,
    data: renderer.data(db, BASEMAP_LAYERS),
  });
  return operation({
    ...RASTER,
    id: 'getRasterTile',
    path: '/raster/{style}/{z}/{x}/{row}.png',
    summary: 'Get a raster tile of the basemap',
    description:
      `Returns a tile of ${RASTER_TILE_PX} x ${RASTER_TILE_PX} CSS pixels, as Leaflet, OpenLayers, and QGIS ` +
      'expect; with `@2x` after the row, it has twice as many pixels on each side. Labels continue in the ' +
      'neighboring tiles. To draw ZIP codes on top, use vector tiles.',
    params: rasterTileParams,
    query: z.object({ basemap: basemapOption, v: version }),
    answers: { 200: { description: 'The tile', type: PNG, cached: true } },
    async handle({ params, query: { basemap, v } }) {
      const tile = { ...addressOf(params), ...(basemap === 'plain' && { basemap }) };
      const first = metatileOf(tile);
      const answer = await metatiles(
        JSON.stringify(first),
        async (db) => pack(await renderer.drawTiles(db, first)),
        v,
      );
      const body = new PreparedAnswer(unpack(answer.body.bytes, indexInMetatile(tile)), PNG);
      return { ...answer, body };
    },
  });
}

const TILES = 16;
const LENGTH_BYTES = 4;

/**
 * Packs the lengths of all tiles, then the tiles, into one buffer that processes can share as an answer.
 */
function pack(tiles: readonly (Uint8Array | undefined)[]): Buffer {
  const head = Buffer.alloc(TILES * LENGTH_BYTES);
  tiles.forEach((tile, i) => head.writeUInt32BE(tile?.length ?? 0, i * LENGTH_BYTES));
  return Buffer.concat([head, ...tiles.flatMap((tile) => tile ?? [])]);
}

function unpack(packed: Buffer, index: number): Buffer {
  const lengths = Array.from({ length: TILES }, (_, i) => packed.readUInt32BE(i * LENGTH_BYTES));
  const before = lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
  const start = TILES * LENGTH_BYTES + before;
  return packed.subarray(start, start + lengths[index]!);
}

const RasterTileJson = z
  .looseObject({
    tilejson: z.literal('3.0.0'),
    name: z.string(),
    attribution: z.string().meta({ description: 'Attribution to show with the map, as HTML' }),
    tiles: z.array(z.string()).meta({ description: 'URL templates' }),
    tileSize: z.int().meta({ description: 'Side of a tile in CSS pixels' }),
    minzoom: z.int(),
    maxzoom: z.int(),
    bounds: z.array(z.number()).length(4),
  })
  .meta({ id: 'RasterTileJson', description: 'TileJSON 3.0.0 of raster tiles' });

function rasterTileJsonOperation({ db, renderer, caches, apiRoot }: RasterParts): Operation {
  const data = { ...renderer.data(db, BASEMAP_LAYERS), ...AT_ONCE };
  const answer = caches.answers({ name: 'raster TileJSON', data }, ASK_FIRST);
  const make = async (name: string, basemap: BasemapName, db: DataAt & MapData) => {
    const isPlain = basemap === 'plain';
    const [{ sources, bounds }, v] = await Promise.all([
      contextTiles.facts(db),
      caches.versionOf(db.stamp),
    ]);
    return jsonText(RasterTileJson, {
      ...documentOf(
        name,
        `${apiRoot()}/raster/${name}/{z}/{x}/{y}.png?${isPlain ? 'basemap=plain&' : ''}v=${v}`,
      ),
      attribution: [
        escapeHtml(joinSources(sources)),
        ...(db.streets && !isPlain ? [creditsHtml(db.streets.attribution)] : []),
      ].join(', '),
      bounds,
    });
  };
  return operation({
    ...RASTER,
    id: 'getRasterTileJson',
    path: '/raster/{style}.json',
    summary: 'Get the TileJSON of the raster tiles',
    description:
      'Describes the raster tiles of a style: their URL, zooms, bounds, and attribution.',
    params: z.object({ style }),
    query: z.object({ basemap: basemapOption, v: version }),
    answers: {
      200: {
        description: 'TileJSON 3.0.0',
        cached: true,
        schema: RasterTileJson,
        example: {
          ...documentOf(
            'light',
            'https://territory.example.com/raster/light/{z}/{x}/{y}.png?v=Jx4f0aQk2Z',
          ),
          attribution: 'Census Bureau',
          bounds: [-180, 18, 180, 72],
        },
      },
    },
    handle: ({ params: { style: name }, query: { basemap = 'streets', v } }) =>
      answer(`${name} ${basemap}`, (db) => make(name, basemap, db), v),
  });
}

const documentOf = (name: string, tiles: string) => ({
  tilejson: '3.0.0' as const,
  name: `Basemap of the United States, ${name}`,
  scheme: 'xyz',
  format: 'png',
  tiles: [tiles],
  tileSize: RASTER_TILE_PX,
  minzoom: RASTER_ZOOMS.minZoom,
  maxzoom: RASTER_ZOOMS.maxZoom,
});
