/** Reads the layers that the coast is fitted to, and stages the result with an import's own features. */
import type { BasemapLayer, FeatureFacts } from '../../basemap/features.ts';
import type { Queryable } from '../../../base/db/database.ts';
import type { Staging } from '../../../base/db/staging.ts';
import { group as groupBy } from 'd3-array';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';
import type { Progress } from '../progress.ts';
import { stageFeatures } from '../stage-features.ts';
import { derivedFeatures } from './derived.ts';
import { inlandWater } from './inland.ts';
import { fitCoast, mayBeFitted, MIN_LAKE_SQUARE_DEGREES, type LeveledFeature } from './fit.ts';

/** The coast changes with each new version of one of these layers. */
export const COAST_LAYERS: readonly BasemapLayer[] = ['states', 'counties', 'water'];

interface StagedCoast {
  /** Features of the water that the fitted water replaces */
  replaced: number[];
  /** Summary of the fitted water, for the report of the import */
  note: string;
}

/**
 * Stages the fitted water and the borders.
 *
 * @param imported layers to read from the staging tables; others are read from the live tables
 */
export async function stageCoast(
  db: Queryable,
  staging: Staging,
  imported: ReadonlySet<BasemapLayer>,
  progress: Progress,
): Promise<StagedCoast> {
  progress('Fitting water to the shores', 0, 0);
  // Without a key and statistics, PostgreSQL would search all shapes for each river.
  await staging.index('basemap_shapes');
  for (const table of ['basemap_features', 'basemap_shapes']) {
    await db.query(`analyze ${staging.table(table)}`);
  }
  const tableOf = (layer: BasemapLayer, table: string) =>
    imported.has(layer) ? staging.table(table) : table;
  const read = (layer: BasemapLayer) => readLayer(db, layer, (table) => tableOf(layer, table));
  const [states, counties, water] = [
    await read('states'),
    await read('counties'),
    await read('water'),
  ];
  const candidates = water.filter(mayBeFitted);
  const inland = await inlandWater(db, tableOf);
  const coast = await fitCoast({ states, counties, water: candidates, inland }, progress);
  await stageFeatures(db, staging, derivedFeatures(coast));
  const replaced = coast.replaced.map((index) => candidates[index]!.id);
  return { replaced, note: noteOf(candidates, replaced) };
}

function noteOf(water: readonly StoredFeature[], replaced: readonly number[]): string {
  const fitted = water.filter(({ id }) => replaced.includes(id));
  const lakes = fitted.flatMap(({ facts }) => (facts.kind === 'lake' ? [facts.name] : []));
  if (fitted.length > 0) {
    const names =
      lakes.length > 0 ? ` and ${lakes.map((name) => name ?? 'a lake').join(', ')}` : '';
    return `fitted to the shores of the states: the ocean${names}`;
  }
  return water.some(({ facts }) => facts.kind === 'ocean')
    ? 'water wasn’t fitted to the shores: the borders of the states include their waters. Import ' +
        'cartographic states, such as cb_2023_us_state_500k.zip'
    : 'no ocean is imported, so maps show none';
}

interface StoredFeature extends LeveledFeature {
  id: number;
}

/** Reads the polygons of a layer as imported. */
async function readLayer(
  db: Queryable,
  layer: BasemapLayer,
  tableOf: (name: string) => string,
): Promise<StoredFeature[]> {
  // A row for each shape: the driver takes long to parse arrays of bytes.
  const rows = await db.query<FeatureFacts & { id: number; lod: number; wkb: Buffer }>(
    `select f.id, layer, kind, name, fips, min_zoom as "minZoom", rank, lod,
       st_asbinary(geom, 'NDR') as wkb
     from ${tableOf('basemap_features')} f
     join ${tableOf('basemap_shapes')} s on s.feature_id = f.id
     where layer = $1 and coast is distinct from 'derived' and kind <> 'river' and st_dimension(geom) = 2
       -- the country has millions of lakes
       and (kind <> 'lake' or st_area(f.bbox) >= $2)
     order by f.id, lod`,
    [layer, MIN_LAKE_SQUARE_DEGREES],
  );
  return [...groupBy(rows, ({ id }) => id).values()].map((levels) => {
    const { id, lod: _, wkb: __, ...facts } = levels[0]!;
    const shapes = new Map(levels.map(({ lod, wkb }) => [lod, readWkb(wkb)]));
    const last = levels.at(-1)!.lod;
    return {
      id: Number(id),
      facts,
      shapes: [...DETAIL_LEVELS.keys()].map((lod) => shapes.get(Math.min(lod, last)) ?? null),
    };
  });
}
