/** The basemap as vector tiles. */
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import { AREA_LABEL_RADIUS_PX, labelsInPicture, labelFeatures } from './label-features.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { MAX_LATITUDE } from '../../base/spatial/mercator.ts';
import { tileBbox, type TileAddress } from '../../base/spatial/tile.ts';
import { readWkb } from '../../base/spatial/wkb.ts';
import { BASEMAP_LAYERS, type BasemapLayer } from './features.ts';
import { basemapSources } from './sources.ts';
import { contentZoom, encodeTile, TILE_MARGIN, type TileLayer, type Tileset } from './tiles.ts';
import { basemapInView, MAP_FEATURES } from './view.ts';

const UNNAMED = {
  kind: 'String',
  minZoom: 'Number: lowest zoom at which it is shown',
  rank: 'Number: lower is more important',
};
const FACTS = { ...UNNAMED, name: 'String' };
const AREA = { ...FACTS, fips: 'String: census code' };
const LABEL = { labelZoom: 'Number: zoom from which the name fits inside' };

const LAYERS: readonly TileLayer[] = [
  { id: 'states', description: 'States', fields: AREA },
  { id: 'counties', description: 'Counties', fields: AREA },
  { id: 'borders', description: 'Borders of states and counties on land', fields: UNNAMED },
  {
    id: 'water',
    description: 'Oceans, lakes (areas), and rivers (lines and areas)',
    fields: FACTS,
  },
  {
    id: 'landuse',
    description:
      'Parks, golf courses, cemeteries, airports, campuses, hospitals, and military areas',
    fields: FACTS,
  },
  {
    id: 'roads',
    description: 'Interstates, freeways, highways, streets, and paths',
    fields: FACTS,
  },
  { id: 'places', description: 'Cities', fields: FACTS },
  { id: 'state-labels', description: 'Label positions of states', fields: { ...AREA, ...LABEL } },
  {
    id: 'county-labels',
    description: 'Label positions of counties',
    fields: { ...AREA, ...LABEL },
  },
  {
    id: 'water-labels',
    description: 'Label positions of lakes and wide rivers',
    fields: { ...FACTS, ...LABEL },
  },
  {
    id: 'landuse-labels',
    description: 'Label positions of parks, airports, campuses, and the like',
    fields: { ...FACTS, ...LABEL },
  },
];

export const contextTiles: Tileset = {
  name: 'context',
  title: 'Basemap of the United States',
  minZoom: 0,
  // A tile unit at this zoom is 1.9 m, finer than the 5 m of the finest shapes.
  maxZoom: 12,
  layers: LAYERS,

  async tile(db, address) {
    const zoom = contentZoom(address, contextTiles);
    const [west, south, east, north] = tileBbox(address, TILE_MARGIN);
    // geojson-vt adds the part beyond the antimeridian.
    const view: Bbox = [Math.max(-180, west), south, Math.min(180, east), north];
    const [layers, labels] = await Promise.all([
      basemapInView(db, view, zoom, detailForZoom(address.z)),
      labelsOfTile(db, address, zoom),
      basemapSources(db),
    ]);
    return encodeTile(address, { ...layers, ...labels });
  },

  async facts(db) {
    const [sources, bounds] = await Promise.all([basemapSources(db), extent(db)]);
    return { sources, bounds };
  },

  datasets: BASEMAP_LAYERS,
};

/**
 * The level of detail that label points are computed from at all zooms. Labels therefore stay in place
 * between zooms, and a street-level tile in Texas doesn't load Texas in full detail.
 */
const LABEL_LOD = 2;

/**
 * Returns the label points of the areas that a tile touches. They are computed from whole areas, so an area
 * has the same point in every tile, and only one tile contains that point.
 */
async function labelsOfTile(db: Queryable, address: TileAddress, zoom: number) {
  const areas = await namedAreas(db, tileBbox(address), zoom);
  const fitting = (layer: BasemapLayer) =>
    labelsInPicture(zoom, areas.get(layer) ?? [], AREA_LABEL_RADIUS_PX);
  return {
    'state-labels': fitting('states'),
    'county-labels': fitting('counties'),
    'landuse-labels': fitting('landuse'),
    // Lake names may be wider than the lake.
    'water-labels': labelFeatures(areas.get('water') ?? [], AREA_LABEL_RADIUS_PX),
  };
}

type Area = Feature<Polygon | MultiPolygon>;

async function namedAreas(
  db: Queryable,
  bbox: Bbox,
  zoom: number,
): Promise<Map<BasemapLayer, Area[]>> {
  // The index on bbox finds the candidates, and the primary key of the shapes their geometry.
  const rows = await db.query<{ layer: BasemapLayer; wkb: Buffer }>(
    `select layer, kind, name, fips, min_zoom as "minZoom", rank, st_asbinary(s.geom, 'NDR') as wkb
     from ${MAP_FEATURES} f
     join basemap_shapes s on s.feature_id = f.id and s.lod = least($5, f.max_lod)
     where f.bbox && st_makeenvelope($1, $2, $3, $4, 4326) and f.min_zoom <= $6
       and (layer in ('states', 'counties', 'landuse') or kind in ('lake', 'river')) and name is not null
       -- lines have no room for a name
       and st_dimension(s.geom) = 2
     order by rank, id`,
    [...bbox, LABEL_LOD, zoom],
  );
  const areas = new Map<BasemapLayer, Area[]>();
  for (const { layer, wkb, ...properties } of rows) {
    const area = { type: 'Feature', properties, geometry: readWkb(wkb) } as Area;
    areas.set(layer, [...(areas.get(layer) ?? []), area]);
  }
  return areas;
}

/** The extent of all features within the square world. */
async function extent(db: Queryable): Promise<Bbox> {
  const [row] = await db.query<Record<'west' | 'south' | 'east' | 'north', number>>(
    `select st_xmin(box) as west, st_ymin(box) as south, st_xmax(box) as east, st_ymax(box) as north
     from (select st_extent(bbox) as box from basemap_features) extent`,
  );
  const { west, south, east, north } = row!;
  return [west, Math.max(south, -MAX_LATITUDE), east, Math.min(north, MAX_LATITUDE)];
}
