/** Stores basemap features and replaces whole layers. */
import type { Point } from 'geojson';
import { BASEMAP_LAYERS, type BasemapFeature, type BasemapLayer } from '../basemap/features.ts';
import type { Database } from '../../base/db/database.ts';
import { cutBoundaries, reassignCounties, stageCutBoundaries } from './coast/cut-boundaries.ts';
import { hasCoast } from './coast/has-coast.ts';
import { COAST_LAYERS, stageCoast } from './coast/store.ts';
import {
  datasetsStamp,
  markNewerThanCoast,
  recordDataset,
  touchDataset,
  unmarkNewerThanCoast,
  type DatasetFacts,
} from '../../base/db/datasets.ts';
import type { Progress } from './progress.ts';
import { simplifyFeatures } from './shapes.ts';
import type { Shapes } from './shape-levels.ts';
import { stageFeatures, type Features } from './stage-features.ts';
import { withStaging } from '../../base/db/staging.ts';
import { pluralize } from '../../base/text/words.ts';

export interface BasemapSource extends Features {
  facts: DatasetFacts;
}

/** Simplifies generated features to all detail levels, with one source per layer and kind of geometry. */
export async function simplifyToSources(
  features: BasemapFeature[],
  factsOf: (layer: BasemapLayer) => DatasetFacts,
): Promise<BasemapSource[]> {
  const sources: BasemapSource[] = [];
  for (const layer of BASEMAP_LAYERS) {
    // Mapshaper splits collections of mixed kinds, so each kind is processed separately.
    for (const kind of ['Point', 'LineString', 'Polygon']) {
      const chosen = features.filter((f) => f.layer === layer && f.geometry.type.endsWith(kind));
      if (chosen.length === 0) continue;
      const collection = {
        type: 'FeatureCollection' as const,
        features: chosen.map(({ geometry }) => ({
          type: 'Feature' as const,
          properties: {},
          geometry,
        })),
      };
      sources.push({
        shapes:
          kind === 'Point' ? pointsOf(chosen) : withoutCopies(await simplifyFeatures(collection)),
        features: new Map(chosen.map(({ geometry: _, ...feature }, index) => [index, feature])),
        facts: factsOf(layer),
      });
    }
  }
  return sources;
}

/** A level is stored only if it loses at least this share of the positions */
const MIN_LOSS = 0.05;

/**
 * Coarse sources hardly change between fine levels of detail. Such a level is replaced with the next finer
 * one, so everything that depends on it is computed only once.
 */
function withoutCopies({ properties, levels }: Shapes): Shapes {
  const kept: Shapes['levels'] = [];
  for (const level of levels) {
    const finer = kept.at(-1);
    const positions = finer ? finer.arcs.coordinates.length * (1 - MIN_LOSS) : 0;
    kept.push(finer && level.arcs.coordinates.length > positions ? finer : level);
  }
  return { properties, levels: kept };
}

/** Points have no borders to simplify. */
const pointsOf = (features: readonly BasemapFeature[]): Shapes => ({
  properties: features.map(() => ({})),
  levels: [
    {
      arcs: { coordinates: new Float64Array(), starts: new Uint32Array(1) },
      geometries: features.map(({ geometry }) => geometry as Point),
    },
  ],
});

export interface StoreOptions {
  dryRun: boolean;
  progress: Progress;
  /** Receives notes for the report */
  note?: (text: string) => void;
  /**
   * `later`: `fitOldCoast` follows, or the sources contain the coast. Default: fit the coast if it depends
   * on the sources
   */
  coast?: 'later';
}

/** The boundaries are those that the coast cuts. */
const STAGED = ['basemap_features', 'basemap_shapes', 'zip_boundaries', 'border_graph'];

/**
 * Stages the sources one by one and, unless `dryRun`, replaces everything in their layers. Fits the coast
 * again if it depends on them or is outdated.
 * @returns the number of features kept
 */
export async function storeBasemap(
  db: Database,
  sources: Iterable<BasemapSource> | AsyncIterable<BasemapSource>,
  options: StoreOptions,
): Promise<number> {
  const layers = new Map<BasemapLayer, DatasetFacts[]>();
  let containsCoast = false;
  return withStaging(db, STAGED, async (staging) => {
    for await (const source of sources) {
      for (const layer of new Set([...source.features.values()].map((f) => f.layer))) {
        layers.set(layer, [...(layers.get(layer) ?? []), source.facts]);
      }
      containsCoast ||= source.coast !== undefined;
      await stageFeatures(db, staging, source);
    }
    const [{ kept }] = (await db.query(
      `select count(*)::int as kept from ${staging.table('basemap_features')}`,
    )) as [{ kept: number }];
    if (options.dryRun) return kept;
    const imported = new Set(layers.keys());
    const changed = COAST_LAYERS.filter((layer) => imported.has(layer));
    const isOld = changed.length > 0 || !(await hasCoast(db));
    const boundaries = await datasetsStamp(db, ['boundaries']);
    const coast =
      isOld && options.coast !== 'later'
        ? await stageCoast(db, staging, imported, options.progress)
        : null;
    if (coast) options.note?.(coast.note);
    const cut = coast && (await stageCutBoundaries(db, staging));
    options.progress('Replacing the basemap', 0, 0);
    await db.transaction(async (tx) => {
      // Two simultaneous imports would each add a coast, and those of boundaries replace tables in this order.
      if (coast) {
        await tx.query(
          `lock table basemap_features, zips, zip_boundaries, border_graph
           in share row exclusive mode`,
        );
      }
      await tx.query(
        `delete from basemap_features where layer = any($1) or (coast = 'derived' and $2)`,
        [[...imported], coast !== null],
      );
      await tx.query(
        `insert into basemap_features overriding system value
         select * from ${staging.table('basemap_features')}`,
      );
      await tx.query(`insert into basemap_shapes select * from ${staging.table('basemap_shapes')}`);
      if (coast) {
        await tx.query(
          `update basemap_features set coast = case when id = any($1) then 'replaced' end
           where coast = 'replaced' or id = any($1)`,
          [coast.replaced],
        );
      }
      // Gives the data a new version for the caches, since it has changed without an import.
      if (coast && layers.size === 0) await touchDataset(tx, 'states');
      for (const [layer, facts] of layers) await recordDataset(tx, layer, combineFacts(facts));
      if (coast || containsCoast) await unmarkNewerThanCoast(tx);
      else await markNewerThanCoast(tx, changed);
      if (coast && (await datasetsStamp(tx, ['boundaries'])) !== boundaries) {
        await markNewerThanCoast(tx, ['boundaries']);
      } else if (cut !== null) {
        await cutBoundaries(tx, staging);
        if (cut > 0) options.note?.(cutNote(cut));
      }
      if (layers.has('counties')) await reassignCounties(tx);
    });
    for (const table of ['basemap_features', 'basemap_shapes']) await db.query(`analyze ${table}`);
    return kept;
  });
}

const cutNote = (zips: number) =>
  `${pluralize(zips, 'ZIP code')} that ${zips === 1 ? 'reaches' : 'reach'} far into the water ` +
  `${zips === 1 ? 'ends' : 'end'} at the shore`;

/** Fits the coast if it was never fitted or if an import has postponed that. */
export async function fitOldCoast(
  db: Database,
  options: Pick<StoreOptions, 'progress' | 'note'>,
): Promise<void> {
  if (!(await hasCoast(db))) await storeBasemap(db, [], { dryRun: false, ...options });
}

/** Combines the facts of several sources of a layer. */
function combineFacts(facts: DatasetFacts[]): DatasetFacts {
  return {
    vintage: [...new Set(facts.map((f) => f.vintage))].join(', '),
    synthetic: facts.some((f) => f.synthetic),
  };
}
