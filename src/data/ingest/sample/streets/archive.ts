/**
 * The sample's streets: an archive in the schema of Protomaps' basemap with made-up streets, parks, and names around
 * downtown Dallas. It is stored in `geodata/sample-streets.pmtiles`. `npm run sample` writes it again.
 */
import { cross, groups, range } from 'd3-array';
import type { Feature, Geometry } from 'geojson';
import { encodeTile, TILE_EXTENT, TILE_MARGIN } from '../../../basemap/tiles.ts';
import { inArchiveOrder, writePmtiles } from '../../../basemap/write-pmtiles.ts';
import {
  bboxAround,
  bboxesMeet,
  bboxOfPositions,
  type Bbox,
} from '../../../../base/spatial/bbox.ts';
import { simplifyLine } from '../../../../base/spatial/simplify.ts';
import { tileBbox, type TileAddress } from '../../../../base/spatial/tile.ts';
import { cityPlan } from './city.ts';
import { MAX_ZOOM, type StreetFeature } from './features.ts';
import { METERS_PER_DEGREE, pointsOf, toLngLat } from './lines.ts';

const MIN_ZOOM = 6;

/** Tiles of zoom 12 around downtown, from the first to the one after the last */
const [COLUMNS, ROWS] = [[945, 948] as const, [1651, 1654] as const];

/**
 * Slightly inside the tiles, because archives round their bounds, and readers would expect the neighboring tiles.
 */
const BOUNDS = bboxAround([
  tileBbox({ z: 12, x: COLUMNS[0], y: ROWS[0] }, -1e-5),
  tileBbox({ z: 12, x: COLUMNS[1] - 1, y: ROWS[1] - 1 }, -1e-5),
]);

/** Writes the archive. The result is the same on every run. */
export const writeSampleStreets = (file: string) =>
  writePmtiles(file, tiles(), {
    bounds: BOUNDS,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    metadata: METADATA,
  });

async function* tiles() {
  const boxOf = ({ line }: StreetFeature) => bboxOfPositions(line.map(toLngLat));
  const plan = cityPlan().map((feature) => ({ ...feature, bbox: boxOf(feature) }));
  for (const address of inArchiveOrder(range(MIN_ZOOM, MAX_ZOOM + 1).flatMap(addresses))) {
    yield { address, bytes: tile(address, plan) };
  }
}

function addresses(z: number): TileAddress[] {
  const scale = 2 ** (z - 12);
  const within = ([from, to]: readonly [number, number]) =>
    range(Math.floor(from * scale), to * scale);
  return cross(within(COLUMNS), within(ROWS), (x, y) => ({ z, x, y }));
}

function tile(address: TileAddress, plan: readonly (StreetFeature & { bbox: Bbox })[]): Uint8Array {
  const { z } = address;
  const box = tileBbox(address, TILE_MARGIN);
  // A map would label a point in the margins of two tiles twice.
  const meets = ({ type, bbox }: (typeof plan)[number]) =>
    bboxesMeet(bbox, type === 'Point' ? tileBbox(address) : box);
  const shown = plan.filter(({ zooms }) => z >= zooms[0] && z <= zooms[1]).filter(meets);
  const propertiesAt = ({ properties, details }: StreetFeature) =>
    JSON.stringify({ ...properties, ...(details && z >= details.zoom && details.properties) });
  const layers = Object.keys(LAYERS).map((layer) => {
    const features = shown.filter((feature) => feature.layer === layer);
    // Merges lines with the same properties, as Planetiler does, which makes tiles smaller.
    const alike = groups(
      features,
      (feature) => feature.type === 'LineString' || feature,
      propertiesAt,
    );
    return [
      layer,
      alike.flatMap(([, kinds]) => kinds.map(([json, same]) => merged(json, same, z))),
    ];
  });
  return encodeTile(address, Object.fromEntries(layers) as Record<string, Feature[]>);
}

const merged = (properties: string, same: readonly StreetFeature[], z: number): Feature => ({
  type: 'Feature',
  properties: JSON.parse(properties) as object,
  geometry: {
    type: `Multi${same[0]!.type}`,
    coordinates: same.flatMap((feature): unknown[] => partsOf(feature, z)),
  } as Geometry,
});

/** Leaves out points that are less than 3/8 of a pixel off. */
function partsOf({ type, line }: StreetFeature, z: number) {
  const tolerance = (3 / TILE_EXTENT) * ((360 * METERS_PER_DEGREE[0]) / 2 ** z);
  const positions = pointsOf(simplifyLine(line.flat(), tolerance)).map(toLngLat);
  if (type === 'Polygon') return positions.length < 4 ? [] : [[positions]];
  return type === 'Point' ? positions : [positions];
}

/** First zoom and fields */
const LAYERS: Record<StreetFeature['layer'], [minzoom: number, fields: string]> = {
  earth: [0, 'kind'],
  landuse: [9, 'kind sort_rank'],
  water: [8, 'kind kind_detail name min_zoom sort_rank'],
  roads: [
    6,
    'kind kind_detail name ref shield_text network oneway is_bridge is_link min_zoom sort_rank',
  ],
  buildings: [13, 'kind height sort_rank'],
  places: [6, 'kind kind_detail name min_zoom population population_rank'],
  pois: [13, 'kind name min_zoom'],
};

function typeOf(field: string) {
  if (field.startsWith('is_')) return 'Boolean';
  return /min_zoom|sort_rank|height|population/.test(field) ? 'Number' : 'String';
}

const METADATA = {
  name: 'Sample streets of downtown Dallas (made up)',
  description:
    'Streets, parks, water, and their names are made up. Only the interstates and the name of the city are real.',
  attribution: 'Sample streets (made up)',
  type: 'baselayer',
  version: '4.14.8',
  vector_layers: Object.entries(LAYERS).map(([id, [minzoom, fields]]) => ({
    id,
    minzoom,
    maxzoom: MAX_ZOOM,
    fields: Object.fromEntries(fields.split(' ').map((field) => [field, typeOf(field)])),
  })),
};
