/** Stores the borders of the ZIP codes as a graph, from which territories are measured. */
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import {
  decodeBorderGraph,
  encodeBorderGraph,
  type BorderGraph,
} from '../../base/spatial/border-graph.ts';
import { traceBorders, type BorderTracer } from '../../base/spatial/trace-borders.ts';
import { FlatGeometry } from '../../base/spatial/flat-geometry.ts';
import { readFlatWkb } from '../../base/spatial/wkb.ts';
import type { Shapes } from './shape-levels.ts';
import { toWkb } from './topology.ts';

/**
 * Detail level with a tolerance of 120 m, used for all territories. Perimeters grow without limit as detail
 * increases (152 ZIP codes of Dallas: 0.19 here, 0.24 at 480 m), so the compactness of territories is
 * comparable only at the same level.
 */
export const GRAPH_LOD = 1;

/** ZIP codes to read at once, so that no step takes long */
const BATCH_ZIPS = 250;
const PART_BYTES = 256 * 1024;

/** Staged copies during an import, the tables themselves otherwise */
interface Tables {
  boundaries: string;
  graph: string;
}

const LIVE: Tables = { boundaries: 'zip_boundaries', graph: 'border_graph' };

/**
 * Stores the graph of the boundaries in an empty table.
 * @param graph encoded; computed if missing
 */
export async function storeBorderGraph(
  db: Queryable,
  tables: Tables,
  graph?: Uint8Array,
): Promise<void> {
  const bytes = graph ?? encodeBorderGraph(await traceBoundaries(db, tables.boundaries));
  for (let part = 0; part * PART_BYTES < bytes.length; part++) {
    await db.query(`insert into ${tables.graph} (part, bytes) values ($1, $2)`, [
      part,
      bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    ]);
  }
}

/** Adds the graph to a database that imported its boundaries before the graph existed. */
export async function addMissingBorderGraph(tx: Queryable): Promise<void> {
  const [missing] = await tx.query(
    `select where exists (select from datasets where name = 'boundaries')
       and not exists (select from border_graph)`,
  );
  if (missing) await storeBorderGraph(tx, LIVE);
}

/** Reads the stored graph. If there is none, computes it, which takes seconds for a whole country. */
export async function readBorderGraph(db: Queryable): Promise<BorderGraph> {
  const parts: Buffer[] = [];
  for (;;) {
    const rows = await db.query<{ bytes: Buffer }>(
      'select bytes from border_graph where part >= $1 order by part limit 4',
      [parts.length],
    );
    parts.push(...rows.map(({ bytes }) => bytes));
    await letOthersRun();
    if (rows.length === 0) break;
  }
  return parts.length > 0
    ? decodeBorderGraph(Buffer.concat(parts))
    : traceBoundaries(db, LIVE.boundaries);
}

/**
 * Returns the encoded graph of boundaries that aren't stored yet. @param zips by index in the shapes, in
 * order
 */
export function traceShapes({ levels }: Shapes, zips: readonly string[]): Uint8Array {
  const { arcs, geometries } = levels[GRAPH_LOD]!;
  const tracer = traceBorders();
  for (const [index, zip] of zips.entries()) {
    const geometry = geometries[index];
    const wkb = geometry && toWkb(geometry, arcs);
    if (wkb) addBoundary(tracer, zip, wkb);
  }
  return encodeBorderGraph(tracer.finish());
}

async function traceBoundaries(db: Queryable, table: string): Promise<BorderGraph> {
  const tracer = traceBorders();
  let last = '';
  for (;;) {
    const rows = await db.query<{ zip: string; wkb: Buffer }>(
      `select zip, st_asbinary(geom) as wkb from ${table}
       where lod = ${GRAPH_LOD} and zip > $1 order by zip limit ${BATCH_ZIPS}`,
      [last],
    );
    for (const { zip, wkb } of rows) addBoundary(tracer, zip, wkb);
    if (rows.length < BATCH_ZIPS) return tracer.finish();
    last = rows.at(-1)!.zip;
    await letOthersRun();
  }
}

function addBoundary(tracer: BorderTracer, zip: string, wkb: Buffer): void {
  const geometry = readFlatWkb(wkb);
  if (!(geometry instanceof FlatGeometry) || geometry.type !== 'MultiPolygon') return;
  const { numbers } = geometry.positions;
  for (const rings of geometry.polygons) {
    tracer.add(
      Number(zip),
      rings.map(({ start, end }) => numbers.subarray(start, end)),
    );
  }
}
