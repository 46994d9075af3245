/** The basemap features in a view. */
import type { Feature, Geometry } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import type { Bbox } from '../../base/spatial/bbox.ts';
import { readFlatWkb, readWkb } from '../../base/spatial/wkb.ts';
import { MAP_LAYERS, type FeatureFacts, type MapLayer } from './features.ts';

/** The features on maps, each in its map layer. */
export const MAP_FEATURES = `(
  select id, case kind when 'border' then 'borders' else layer end as layer,
    case kind when 'border' then case layer when 'states' then 'state' else 'county' end else kind end
      as kind,
    name, fips, min_zoom, rank, max_lod, bbox
  from basemap_features where coast is distinct from 'replaced')`;

/** Which features to read */
interface FeatureChoice {
  /** Default: all; the others are empty */
  layers: readonly MapLayer[];
  /** A box without roads and rivers. Default: none */
  cutOut: Bbox | null;
}

/**
 * Returns the features shown at `zoom`, clipped to `bbox`, most important first. The box may extend beyond
 * the antimeridian. Clipping creates edges along the box, so use a box larger than the visible area.
 *
 * @param lod level of detail: see `base/spatial/detail.ts`
 */
export async function basemapInView(
  db: Queryable,
  bbox: Bbox,
  zoom: number,
  lod: number,
  choice: Partial<FeatureChoice> = {},
): Promise<Record<MapLayer, Feature[]>> {
  const view = Object.fromEntries(MAP_LAYERS.map((layer) => [layer, [] as Feature[]]));
  const worlds = worldsIn(bbox);
  // Features of several worlds are moved, position by position.
  const read = worlds.length > 1 ? readWkb : readFlatWkb;
  for (const { part, shift } of worlds) {
    for (const { layer, wkb, ...properties } of await featuresIn(db, part, zoom, lod, choice)) {
      const geometry = read(wkb);
      if (worlds.length > 1) moveEast(geometry, shift);
      view[layer]!.push({ type: 'Feature', properties, geometry });
    }
  }
  return view as Record<MapLayer, Feature[]>;
}

/** The part of a view in one copy of the world. */
interface World {
  /** Between longitudes -180 and 180 */
  part: Bbox;
  /** Degrees to move the part to its position in the view */
  shift: number;
}

/** A view across the antimeridian shows parts of several copies of the world. */
function worldsIn([west, south, east, north]: Bbox): World[] {
  const worlds: World[] = [];
  for (let copy = Math.floor((west + 180) / 360); copy * 360 - 180 < east; copy++) {
    const shift = 360 * copy;
    const part: Bbox = [Math.max(-180, west - shift), south, Math.min(180, east - shift), north];
    worlds.push({ part, shift });
  }
  return worlds;
}

/** Copies overlap by this much, because antialiasing would show a line between two exact edges. */
const OVERLAP_DEGREES = 0.01;

function moveEast(geometry: Geometry, degrees: number): void {
  const move = (coordinates: unknown[]): void => {
    const [lng] = coordinates;
    if (typeof lng !== 'number') return coordinates.forEach((part) => move(part as unknown[]));
    coordinates[0] = degrees + lng + (Math.abs(lng) === 180 ? Math.sign(lng) * OVERLAP_DEGREES : 0);
  };
  if (geometry.type !== 'GeometryCollection') move(geometry.coordinates);
}

interface Row extends Omit<FeatureFacts, 'layer'> {
  layer: MapLayer;
  wkb: Buffer;
}

function featuresIn(
  db: Queryable,
  bbox: Bbox,
  zoom: number,
  lod: number,
  { layers = MAP_LAYERS, cutOut = null }: Partial<FeatureChoice>,
): Promise<Row[]> {
  // The index on bbox finds the candidates, and the primary key of the shapes their geometry.
  return db.query<Row>(
    `select layer, kind, name, fips, min_zoom as "minZoom", rank, st_asbinary(clipped, 'NDR') as wkb
     from ${MAP_FEATURES} f
     join basemap_shapes s on s.feature_id = f.id and s.lod = least($5, f.max_lod),
     lateral (select case
       when f.bbox @ st_makeenvelope($1, $2, $3, $4, 4326) then s.geom
       else st_clipbybox2d(s.geom, st_makeenvelope($1, $2, $3, $4, 4326)) end as inside offset 0) b,
     lateral (select case
       when $8::float8[] is null or layer not in ('roads', 'water') or st_dimension(inside) <> 1 then inside
       else st_difference(inside, st_makeenvelope($8[1], $8[2], $8[3], $8[4], 4326)) end as clipped offset 0) c
     where f.bbox && st_makeenvelope($1, $2, $3, $4, 4326) and f.min_zoom <= $6
       and layer = any($7) and not st_isempty(clipped)
     order by rank, id`,
    [...bbox, lod, zoom, layers, cutOut],
  );
}
