/**
 * The ZIP codes of the launched metros as vector tiles, each with its metro and its score class in
 * every vertical. Tiles don't contain exact scores: the public gets those one ZIP code at a time,
 * from `/public/zip/{zip}`.
 */
import type { Feature, MultiPolygon } from 'geojson';
import {
  contentZoom,
  encodeTile,
  TILE_MARGIN,
  type TileLayer,
  type Tileset,
} from '../../../data/basemap/tiles.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets, type DatasetName } from '../../../base/db/datasets.ts';
import { unavailable } from '../../../errors.ts';
import { NATIONAL_CLASSES } from '../classes.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../../../data/basemap/label-features.ts';
import { BBOX } from '../../../data/market/zips.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { detailForZoom } from '../../../base/spatial/detail.ts';
import { SQUARE_WORLD, tileBbox } from '../../../base/spatial/tile.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';

/** Lower bounds of the score classes, which match the breaks of every palette. */
export const SCORE_CLASSES = [0, ...NATIONAL_CLASSES.breaks];

const FIELDS = {
  zip: 'String',
  metro: 'String: slug of the launched metro',
  ...Object.fromEntries(
    VERTICALS.map(({ slug, label }) => [
      slug,
      `Number: lower bound of the ${label} score's class, one of ${SCORE_CLASSES.join(', ')}; missing without a score`,
    ]),
  ),
};

const LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIP codes of the launched metros', fields: FIELDS },
  {
    id: 'zip-labels',
    description: 'Label positions of the ZIP codes',
    fields: { ...FIELDS, labelZoom: 'Number: zoom from which the label fits inside' },
  },
];

/** Sources to name with the map */
const SOURCES: readonly DatasetName[] = ['boundaries', 'scores'];

export const scoreTiles: Tileset = {
  name: 'zips',
  title: 'Demand scores of ZIP codes in launched metros',
  // From the zoom at which the country fits on a phone, as for the national tiles.
  minZoom: 2,
  // Up to the same zoom as the basemap.
  maxZoom: 12,
  layers: LAYERS,

  async tile(db, address) {
    const view = tileBbox(address, TILE_MARGIN);
    const [zips] = await Promise.all([
      launchedZipShapes(db, view, detailForZoom(address.z)),
      loadSources(db),
    ]);
    const labels = labelsInPicture(contentZoom(address, scoreTiles), zips, ZIP_LABEL_RADIUS_PX);
    return encodeTile(address, { zips, 'zip-labels': labels });
  },

  async facts(db) {
    const [sources, bounds] = await Promise.all([loadSources(db), extent(db)]);
    return { sources, bounds };
  },

  // An import of counties assigns ZIP codes to counties and thereby to metros.
  datasets: [...SOURCES, 'counties'],
};

/** @throws ServiceError 503 before the first import */
async function loadSources(db: Queryable) {
  const sources = await readDatasets(db);
  if (!sources.has('boundaries')) {
    throw unavailable(
      'The ZIP code boundaries have not been imported yet. Try again after the operator has imported them.',
    );
  }
  return SOURCES.flatMap((name) => sources.get(name) ?? []);
}

/**
 * Loads whole ZIP codes without clipping: a label goes where its whole ZIP code has the most room, and the
 * tile encoding clips shared borders of neighbors identically.
 */
async function launchedZipShapes(
  db: Queryable,
  [west, south, east, north]: Bbox,
  lod: number,
): Promise<Feature<MultiPolygon>[]> {
  // The index on bbox finds the candidates; primary keys find the rest.
  const rows = await db.query<{
    zip: string;
    metro: string;
    /** Null scores are omitted: vector tiles have no null */
    scores: Record<string, number | null> | null;
    wkb: Buffer;
  }>(
    `select zip, metro_slug as metro, st_asbinary(b.geom, 'NDR') as wkb,
       (select json_object_agg(vertical, ($6::int[])[width_bucket(score, $6)] order by vertical)
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

/** The extent of the ZIP codes of launched metros; the world if there are none. */
async function extent(db: Queryable): Promise<Bbox> {
  const [row] = await db.query<{ bbox: Bbox }>(
    `select ${BBOX} as bbox
     from (select st_extent(bbox) as bbox from zips join metro_counties using (county_fips)) extent
     where bbox is not null`,
  );
  return row?.bbox ?? SQUARE_WORLD;
}
