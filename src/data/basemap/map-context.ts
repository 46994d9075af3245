/** The basemap layers in a view as GeoJSON, with metadata for renderers. */
import type { Dataset } from '../../base/db/datasets.ts';
import type { Queryable } from '../../base/db/database.ts';
import { paletteOf } from './palette.ts';
import { loadStyle, STYLE_NAMES } from './styles.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { BASEMAP_LAYERS, MAP_LAYERS, type MapLayer } from './features.ts';
import { MAP_FEATURES } from './view.ts';
import { resolutionFor } from './resolution.ts';
import { joinSources, basemapSources } from './sources.ts';

/**
 * Returns the features shown at `zoom`, clipped to `bbox` and simplified to half a pixel.
 *
 * The database returns the features as JSON text, and this function concatenates it: parsing and
 * serializing it again would take longer than the query.
 *
 * @returns a MapContext as JSON
 * @throws ServiceError 503 before the first import: an empty map would look like open sea
 */
export async function mapContextJson(db: Queryable, bbox: Bbox, zoom: number): Promise<string> {
  const [rows, sources] = await Promise.all([layersInView(db, bbox, zoom), basemapSources(db)]);
  const found = new Map(rows.map((row) => [row.layer, row]));
  const layers = MAP_LAYERS.map(
    (layer) =>
      `"${layer}":{"type":"FeatureCollection","features":[${found.get(layer)?.features ?? ''}]}`,
  );
  const meta = {
    bounds: bbox,
    zoom,
    ...describeSources(sources),
    counts: byLayer(MAP_LAYERS, (layer) => found.get(layer)?.count ?? 0),
    palettes: Object.fromEntries(STYLE_NAMES.map((name) => [name, paletteOf(loadStyle(name))])),
  };
  return `{"layers":{${layers.join(',')}},"meta":${JSON.stringify(meta)}}`;
}

interface LayerRow {
  layer: MapLayer;
  count: number;
  /** GeoJSON features, separated by commas */
  features: string;
}

/** Enough for the streets of a city. Those of a metro would take hundreds of megabytes in one response. */
const MAX_FEATURES = 20_000;

/**
 * Returns one row per layer with visible features, most important features first.
 *
 * @param maxFeatures limit for each layer
 */
export function layersInView(
  db: Queryable,
  bbox: Bbox,
  zoom: number,
  maxFeatures = MAX_FEATURES,
): Promise<LayerRow[]> {
  const { clip, lod, toleranceDeg, decimals, ...resolution } = resolutionFor(bbox, zoom);
  // 1. The index on bbox finds the candidates, and the primary key of the shapes their geometry.
  // 2. clipped: geometries inside the box stay as they are.
  // 3. thinned: Douglas-Peucker, then rounding to coordinate steps. Coordinates are integers here, so
  //    the area of a collapsed ring is exactly zero, which the next step detects.
  // 4. shape: clipping and thinning may make a ring cross itself. Few rings do, and validating is
  //    cheaper than repairing all. Drops parts that a repair reduces from an area to a line or from a
  //    line to a point.
  return db.query<LayerRow>(
    `select layer, count(*)::int as count, string_agg(
       '{"type":"Feature","properties":' || json_strip_nulls(json_build_object(
         'kind', kind, 'name', name, 'fips', fips, 'minZoom', min_zoom, 'rank', rank))
       || ',"geometry":' || st_asgeojson(
         st_scale(st_forcepolygonccw(shape), 1 / steps, 1 / steps), $8::int) || '}',
       ',' order by rank, id) as features
     from (select st_makeenvelope($1, $2, $3, $4, 4326) as box, $7::float8 as steps) v
     join lateral (
       select *, row_number() over (partition by layer order by rank, id) as nth
       from ${MAP_FEATURES} m where m.bbox && box and m.min_zoom <= $9) f on nth <= $10
     join basemap_shapes s on s.feature_id = f.id and s.lod = least($5, f.max_lod),
     lateral (select case
       when f.bbox @ box then s.geom else st_clipbybox2d(s.geom, box) end as clipped offset 0) c,
     lateral (select st_snaptogrid(
       st_scale(st_simplify(clipped, $6), steps, steps), 1) as thinned offset 0) t,
     lateral (select case
       when st_isvalid(thinned) then thinned
       else st_collectionextract(
         st_reduceprecision(
           st_makevalid(thinned, 'method=structure keepcollapsed=false'), 1),
         st_dimension(s.geom) + 1) end as shape offset 0) m
     where not st_isempty(shape)
     group by layer`,
    [...clip, lod, toleranceDeg, 10 ** decimals, decimals, resolution.zoom, maxFeatures],
  );
}

/** The sources of the layers, and the names of synthetic layers. */
function describeSources(sources: readonly Dataset[]) {
  return {
    attribution: joinSources(sources),
    vintage: byLayer(
      BASEMAP_LAYERS,
      (layer) => sources.find(({ name }) => name === layer)?.vintage ?? null,
    ),
    synthetic: sources.filter((source) => source.synthetic).map((source) => source.name),
  };
}

function byLayer<Layer extends string, T>(
  layers: readonly Layer[],
  value: (layer: Layer) => T,
): Record<Layer, T> {
  return Object.fromEntries(layers.map((layer) => [layer, value(layer)])) as Record<Layer, T>;
}
