/** Vector tiles and TileJSON for front ends that draw their own maps. */
import { z } from 'zod';
import { tileJson } from '../../../data/basemap/tilejson.ts';
import type { Tileset, TilesetFacts } from '../../../data/basemap/tiles.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { jsonText } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData, type DataAt } from '../../../base/db/imported-data.ts';
import { ASK_FIRST, AT_ONCE, version, type AnswerCaches } from '../answers/answer-caches.ts';
import { readWholeNumber } from '../../../base/text/whole-number.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { MAPS } from './shared.ts';

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
/** @param apiRoot URL of the API, without a trailing slash */
export function tileOperations(
  db: Database,
  caches: AnswerCaches,
  tileset: Tileset,
  apiRoot: () => string,
): [Operation, Operation] {
  return [tileJsonOperation(db, caches, tileset, apiRoot), tileOperation(db, caches, tileset)];
}

function tileOperation(db: Database, caches: AnswerCaches, tileset: Tileset): Operation {
  const data = importedData(db, tileset.datasets);
  const answer = caches.answers({ name: `${tileset.name} tiles`, type: TILE_TYPE, data });
  return operation({
    ...MAPS,
    id: `get${capitalize(tileset.name)}Tile`,
    path: `/tiles/${tileset.name}/{z}/{x}/{y}.mvt`,
    summary: `Get a vector tile of the ${uncapitalize(tileset.title)}`,
    description:
      `Returns a Mapbox Vector Tile with the layers ${tileset.layers.map(({ id }) => `\`${id}\``).join(', ')}. ` +
      'A tile without features has an empty body and the status 200; map libraries read it as a tile ' +
      'without layers, and it can be cached like any other.',
    params: tileParams(tileset),
    query: z.object({ v: version }),
    answers: {
      200: { description: 'The tile; empty if it has no features', type: TILE_TYPE, cached: true },
    },
    errors: [503],
    handle: ({ params: { z, x, y }, query: { v } }) =>
      answer(`${z}/${x}/${y}`, (db) => tileset.tile(db, { z, x, y }), v),
  });
}

/** Map libraries enlarge the last tiles beyond the maximum zoom. */
export function tileParams({ minZoom, maxZoom }: Pick<Tileset, 'minZoom' | 'maxZoom'>) {
  const zoomMessage =
    `must be a whole number from ${minZoom} to ${maxZoom}; ` +
    `at higher zooms, enlarge the tiles of zoom ${maxZoom}`;
  const last = 2 ** maxZoom - 1;
  return z
    .object({
      z: coordinate(minZoom, maxZoom, zoomMessage).meta({
        description: 'Zoom level of 512-pixel tiles',
        example: 10,
      }),
      x: coordinate(0, last, 'must be a whole number from 0 to 2^z - 1').meta({
        description: 'Column, counted from the west',
        example: 236,
      }),
      y: coordinate(0, last, 'must be a whole number from 0 to 2^z - 1').meta({
        description: 'Row, counted from the north',
        example: 412,
      }),
    })
    .superRefine((address, ctx) => insideWorld(address, (issue) => ctx.addIssue(issue)));
}

/** Reports columns and rows outside the world. */
export function insideWorld(
  address: TileAddress,
  report: (issue: { code: 'custom'; path: string[]; message: string }) => void,
): void {
  const side = 2 ** address.z;
  for (const axis of ['x', 'y'] as const) {
    if (address[axis] < side) continue;
    const message = `must be a whole number from 0 to ${side - 1} at zoom ${address.z}`;
    report({ code: 'custom', path: [axis], message });
  }
}

/** Leading zeros are refused, because they are mistakes, and a tile should have one URL. */
function coordinate(min: number, max: number, message: string) {
  return z
    .string()
    .refine(
      (text) => !/^0\d/.test(text) && readWholeNumber(text, min, max) !== undefined,
      // Later checks need a number.
      { error: message, abort: true },
    )
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

export const TileJsonSchema = z
  .looseObject({
    tilejson: z.literal('3.0.0'),
    name: z.string(),
    version: z.string().meta({ description: 'Changes with the data' }),
    attribution: z.string().meta({ description: 'Attribution to show with the map, as HTML' }),
    tiles: z.array(z.string()).meta({ description: 'URL templates' }),
    minzoom: z.number().int(),
    maxzoom: z.number().int(),
    bounds: z.array(z.number()).length(4),
    vector_layers: z.array(
      z.looseObject({ id: z.string(), fields: z.record(z.string(), z.string()) }),
    ),
  })
  .meta({ id: 'TileJson', description: 'TileJSON 3.0.0' });

/** The answers of operations that return TileJSON */
export const tileJsonAnswers = (example: z.output<typeof TileJsonSchema>) =>
  ({
    200: { description: 'TileJSON 3.0.0', cached: true, schema: TileJsonSchema, example },
  }) as const;

function tileJsonOperation(
  db: Database,
  caches: AnswerCaches,
  tileset: Tileset,
  apiRoot: () => string,
): Operation {
  const data = { ...importedData(db, tileset.datasets), ...AT_ONCE };
  const answer = caches.answers({ name: `${tileset.name} TileJSON`, data }, ASK_FIRST);
  const make = async (db: DataAt) => {
    const [facts, tilesVersion] = await Promise.all([
      tileset.facts(db),
      caches.versionOf(db.stamp),
    ]);
    return jsonText(
      TileJsonSchema,
      tileJson(tileset, facts, urlOf(tileset, apiRoot(), tilesVersion)),
    );
  };
  return operation({
    ...MAPS,
    id: `get${capitalize(tileset.name)}TileJson`,
    path: `/tiles/${tileset.name}.json`,
    summary: `Get the TileJSON of the ${uncapitalize(tileset.title)}`,
    description:
      'Describes the vector tiles: their URL, their layers and fields, and their bounds. The URL contains ' +
      'the version of the data, so that tiles can be kept for a year.',
    query: z.object({ v: version }),
    answers: tileJsonAnswers(
      tileJson(
        tileset,
        EXAMPLE_FACTS,
        urlOf(tileset, 'https://territory.example.com', 'Jx4f0aQk2Z'),
      ),
    ),
    errors: [503],
    handle: ({ query: { v } }) => answer('', make, v),
  });
}

/** The template of the URLs of tiles @param v their version */
export const urlOf = ({ name }: Pick<Tileset, 'name'>, apiRoot: string, v: string) =>
  `${apiRoot}/tiles/${name}/{z}/{x}/{y}.mvt?v=${v}`;

export const EXAMPLE_FACTS: TilesetFacts = {
  sources: [
    {
      name: 'boundaries',
      vintage: 'Census 2020 ZCTAs',
      synthetic: false,
      importedAt: new Date('2026-08-22T00:00:00Z'),
    },
  ],
  bounds: [-125, 24, -66, 50],
};

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const uncapitalize = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
