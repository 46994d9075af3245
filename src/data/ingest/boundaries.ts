/**
 * Stores ZIP code boundaries: stages `zips`, `zip_boundaries`, `zip_neighbors`, and `border_graph`, and
 * swaps them in together.
 */
import type { Database, Queryable } from '../../base/db/database.ts';
import { storeBorderGraph } from './border-graph.ts';
import type { StagedBoundaries } from './boundary-changes/compare.ts';
import { assignCounties } from './counties.ts';
import { recordDataset, type DatasetFacts } from '../../base/db/datasets.ts';
import { fitNotes } from './fit.ts';
import { postalPlace } from './postal-cities.ts';
import type { Progress } from './progress.ts';
import type { Findings } from './report.ts';
import type { ShapeLevel, Shapes } from './shape-levels.ts';
import { withStaging, type Staging } from '../../base/db/staging.ts';
import { areaM2, findNeighbors } from './topology.ts';
import { wkbBatches } from './wkb-batches.ts';
import { storeZipDirectory } from './zip-directory.ts';
import { storeZipsWithoutBoundary } from './zips-without-boundary.ts';

const TABLES = ['zips', 'zip_boundaries', 'zip_neighbors', 'border_graph'];

export interface BoundarySource {
  shapes: Shapes;
  /** ZIP code and, if known, land area of each feature to keep, by index */
  zips: Map<number, { zip: string; landAreaM2: number | null }>;
  facts: DatasetFacts;
  /**
   * The encoded border graph. Shapes that come with a graph are known to be valid and complete, so they
   * aren't checked.
   */
  graph?: Uint8Array;
}

/**
 * Stages the boundaries and, unless `dryRun`, swaps them in. `beforeSwap` receives the number of staged ZIP
 * codes and can throw to refuse the swap. `inSwap` runs in the transaction of the swap.
 * @returns the number of ZIP codes kept
 */
export async function storeBoundaries(
  db: Database,
  source: BoundarySource,
  options: {
    dryRun: boolean;
    findings: Findings;
    progress: Progress;
    beforeSwap?: (kept: number, staged: StagedBoundaries) => Promise<void>;
    /** Before the tables are replaced */
    startSwap?: (tx: Queryable, staged: StagedBoundaries) => Promise<void>;
    inSwap?: (tx: Queryable) => Promise<void>;
  },
): Promise<number> {
  const { findings, progress } = options;
  return withStaging(db, TABLES, async (staging) => {
    await stageShapes(db, staging, source, progress);
    await staging.index('zip_boundaries');
    const repaired = source.graph
      ? new Set<string>()
      : await repairShapes(db, staging, findings, progress);
    await stageZips(db, staging, source, repaired, progress);
    await staging.index('zips'); // which assigning counties needs
    await stageNeighbors(db, staging, source, progress);
    progress('Tracing borders', 0, 0);
    const tables = {
      boundaries: staging.table('zip_boundaries'),
      graph: staging.table('border_graph'),
    };
    await storeBorderGraph(db, tables, source.graph);
    progress('Assigning counties', 0, 0);
    await assignCounties(db, staging.table('zips'));
    const [{ kept }] = (await db.query(
      `select count(*)::int as kept from ${staging.table('zips')}`,
    )) as [{ kept: number }];
    const staged = {
      zips: staging.table('zips'),
      boundaries: staging.table('zip_boundaries'),
      neighbors: staging.table('zip_neighbors'),
    };
    await options.beforeSwap?.(kept, staged);
    const noteFit = async (tables?: { zips: string }) => {
      if (source.facts.synthetic) return;
      for (const note of await fitNotes(db, { boundaries: source.facts }, tables))
        findings.note(note);
    };
    if (options.dryRun) {
      await noteFit(staged);
      return kept;
    }
    progress('Replacing boundaries', 0, 0);
    await staging.index('zip_neighbors');
    await staging.index('border_graph');
    await db.transaction(async (tx) => {
      await options.startSwap?.(tx, staged);
      for (const table of TABLES) await staging.replaceLive(tx, table);
      await recordDataset(tx, 'boundaries', source.facts);
      await storeZipDirectory(tx);
      await storeZipsWithoutBoundary(tx);
      await options.inSwap?.(tx);
    });
    // New tables have no statistics, and the embedded database has no background process to collect them.
    for (const table of TABLES) await db.query(`analyze ${table}`);
    await noteFit();
    return kept;
  });
}

async function stageShapes(
  db: Database,
  staging: Staging,
  { shapes, zips }: BoundarySource,
  progress: Progress,
): Promise<void> {
  const total = zips.size * shapes.levels.length;
  let done = 0;
  for (const [lod, level] of shapes.levels.entries()) {
    for (const { keys, starts, lengths, wkb } of wkbBatches(level, zips)) {
      await db.query(
        `insert into ${staging.table('zip_boundaries')} (zip, lod, geom)
         select zip, $5, st_geomfromwkb(substr($4::bytea, start, length), 4326)
         from unnest($1::text[], $2::int[], $3::int[]) as t (zip, start, length)`,
        [keys.map(({ zip }) => zip), starts, lengths, wkb, lod],
      );
      done += keys.length;
      progress('Storing boundaries', done, total);
    }
  }
}

/**
 * Repairs rings that cross themselves (bow ties) by replacing them with the polygons that they enclose. A
 * polygon that disappears at a coarse level keeps its shape from the next finer level.
 * @returns the ZIP codes whose finest shape was repaired
 */
async function repairShapes(
  db: Database,
  staging: Staging,
  findings: Findings,
  progress: Progress,
): Promise<Set<string>> {
  progress('Checking boundaries', 0, 0);
  const table = staging.table('zip_boundaries');
  const repaired = await db.query<{ zip: string; lod: number }>(
    `update ${table} set geom = st_multi(st_collectionextract(st_makevalid(geom), 3))
     where not st_isvalid(geom) returning zip, lod`,
  );
  const repairedZips = repaired.filter((m) => m.lod === 0).map((m) => m.zip);
  if (repairedZips.length > 0) {
    findings.note(
      `${repairedZips.length} polygons that cross themselves were repaired: ` +
        `${repairedZips.toSorted().slice(0, 5).join(', ')}${repairedZips.length > 5 ? ', …' : ''}`,
    );
  }
  const empty = await db.query<{ zip: string }>(
    `delete from ${table} where st_isempty(geom) and lod = 0 returning zip`,
  );
  for (const { zip } of empty) findings.reject('the polygon has no area', zip);
  await db.query(`delete from ${table} where zip = any($1)`, [empty.map((e) => e.zip)]);
  await db.query(`delete from ${table} where st_isempty(geom)`);
  await db.query(
    `insert into ${table} (zip, lod, geom)
     select b.zip, l.lod, finer.geom
     from ${table} b
     cross join (select distinct lod from ${table} where lod > 0) l
     cross join lateral (
       select f.geom from ${table} f where f.zip = b.zip and f.lod < l.lod
       order by f.lod desc limit 1) finer
     where b.lod = 0
       and not exists (select from ${table} c where c.zip = b.zip and c.lod = l.lod)`,
  );
  return new Set(repairedZips);
}

async function stageZips(
  db: Database,
  staging: Staging,
  { shapes, zips }: BoundarySource,
  repaired: ReadonlySet<string>,
  progress: Progress,
): Promise<void> {
  progress('Measuring ZIP codes', 0, 0);
  const [{ arcs, geometries }] = shapes.levels as [ShapeLevel];
  // PostGIS measures repaired polygons, because the rings in the file no longer match them.
  const areaOf = (index: number, zip: string) =>
    repaired.has(zip) ? null : areaM2(geometries[index]!, arcs);
  const rows = [...zips].map(([index, { zip, landAreaM2 }]) => ({
    zip,
    place: postalPlace(zip),
    landAreaM2: landAreaM2 ?? areaOf(index, zip),
  }));
  await db.query(
    `insert into ${staging.table('zips')} (zip, city, state, land_area_m2, centroid, bbox)
     select zip, city, state, coalesce(land, st_area(geom::geography)), st_centroid(geom),
       st_envelope(geom)
     from unnest($1::text[], $2::text[], $3::text[], $4::float8[]) as t (zip, city, state, land)
     join ${staging.table('zip_boundaries')} b using (zip)
     where b.lod = 0`,
    [
      rows.map((row) => row.zip),
      rows.map((row) => row.place?.city ?? null),
      rows.map((row) => row.place?.state ?? null),
      rows.map((row) => row.landAreaM2),
    ],
  );
}

async function stageNeighbors(
  db: Database,
  staging: Staging,
  { shapes, zips }: BoundarySource,
  progress: Progress,
): Promise<void> {
  progress('Finding neighbors', 0, 0);
  const pairs = findNeighbors(shapes.levels[0]!).filter(({ a, b }) => zips.has(a) && zips.has(b));
  await db.query(
    `with pairs as (
       select a, b, border
       from unnest($1::text[], $2::text[], $3::float8[]) as t (a, b, border)
       join ${staging.table('zips')} za on za.zip = a
       join ${staging.table('zips')} zb on zb.zip = b
     )
     insert into ${staging.table('zip_neighbors')} (zip, neighbor, shared_border_m)
     select a, b, border from pairs union all select b, a, border from pairs`,
    [
      pairs.map(({ a }) => zips.get(a)!.zip),
      pairs.map(({ b }) => zips.get(b)!.zip),
      pairs.map(({ sharedBorderM }) => sharedBorderM),
    ],
  );
}
