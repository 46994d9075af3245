/**
 * The ZIPs of the launched metros as vector tiles, each with its metro and the class of its score in
 * every vertical: what a published map shows of them, and nothing of any other ZIP. The scores
 * themselves are told one by one by `/public/zip/{zip}`; in bulk they are not given away.
 */
import type { Feature, MultiPolygon } from 'geojson';
import {
  contentZoom,
  encodeTile,
  TILE_MARGIN,
  type TileLayer,
  type Tileset,
} from '../basemap/tiles.ts';
import type { Queryable } from '../db/database.ts';
import { readDatasets, type DatasetName } from '../db/datasets.ts';
import { unavailable } from '../errors.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { SQUARE_WORLD, tileBbox } from '../spatial/tile.ts';
import { readWkb } from '../spatial/wkb.ts';

/** Lower bounds of the classes: where the colours of every style change. */
export const SCORE_CLASSES = [0, 20, 40, 60, 80] as const;

const FIELDS = {
  zip: 'String',
  metro: 'String: slug of the launched metro',
  ...Object.fromEntries(
    VERTICALS.map(({ slug, label }) => [
      slug,
      `Number: lower bound of the ${label} score's class, one of ${SCORE_CLASSES.join(', ')}; none if unknown`,
    ]),
  ),
};

const LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIPs of the launched metros', fields: FIELDS },
  {
    id: 'zip-labels',
    description: 'Where their names go',
    fields: { ...FIELDS, labelZoom: 'Number: zoom from which the name has room inside' },
  },
];

/** What the tiles are made of, besides the metros, which come with the program. */
const SOURCES: readonly DatasetName[] = ['boundaries', 'scores'];

export const scoreTiles: Tileset = {
  name: 'zips',
  title: 'Demand scores of ZIP codes in launched metros',
  // Farther out a ZIP is a fraction of a pixel.
  minZoom: 3,
  // As of the basemap.
  maxZoom: 12,
  layers: LAYERS,

  async tile(db, address) {
    const view = tileBbox(address, TILE_MARGIN);
    const [zips] = await Promise.all([
      launchedZips(db, view, detailForZoom(address.z)),
      zipSources(db),
    ]);
    const labels = labelsInPicture(contentZoom(address, scoreTiles), zips, ZIP_LABEL_RADIUS_PX);
    return encodeTile(address, { zips, 'zip-labels': labels });
  },

  async facts(db) {
    const [sources, bounds] = await Promise.all([zipSources(db), extent(db)]);
    return { sources, bounds };
  },

  async stamp(db) {
    const sources = await readDatasets(db);
    return SOURCES.map((name) => sources.get(name)?.importedAt.getTime() ?? 0).join();
  },
};

/** @throws ServiceError 503 before the first import */
async function zipSources(db: Queryable) {
  const sources = await readDatasets(db);
  if (!sources.has('boundaries')) {
    throw unavailable('The ZIP boundaries have not been imported yet.');
  }
  return SOURCES.flatMap((name) => sources.get(name) ?? []);
}

/**
 * Whole, not clipped: labels stand where the whole ZIP has most room, and the tile's own clipping
 * cuts the border of two neighbours alike.
 */
async function launchedZips(
  db: Queryable,
  [west, south, east, north]: Bbox,
  lod: number,
): Promise<Feature<MultiPolygon>[]> {
  // The index on bbox finds the candidates; the primary keys the rest.
  const rows = await db.query<{
    zip: string;
    metro: string;
    /** A tile has no nulls: a score that is unknown is not in it */
    scores: Record<string, number | null> | null;
    wkb: Buffer;
  }>(
    `select zip, metro_slug as metro, st_asbinary(b.geom, 'NDR') as wkb,
       (select json_object_agg(vertical, ($6::int[])[width_bucket(score, $6)])
        from zip_scores s where s.zip = z.zip) as scores
     from zips z
     join metro_counties using (county_fips)
     join zip_boundaries b using (zip)
     where z.bbox && st_makeenvelope($1, $2, $3, $4, 4326) and b.lod = $5
     order by zip`,
    [west, south, east, north, lod, SCORE_CLASSES],
  );
  return rows.map(({ zip, metro, scores, wkb }) => ({
    type: 'Feature',
    properties: { zip, metro, ...scores },
    geometry: readWkb(wkb) as MultiPolygon,
  }));
}

/** Of the launched ZIPs; the world where there are none. */
async function extent(db: Queryable): Promise<Bbox> {
  const [row] = await db.query<Record<'west' | 'south' | 'east' | 'north', number | null>>(
    `select st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
     from (select st_extent(bbox) as box from zips join metro_counties using (county_fips)) extent`,
  );
  const { west, south, east, north } = row!;
  return west === null ? SQUARE_WORLD : [west, south!, east!, north!];
}
