/**
 * `import zcta`: imports the Census Bureau's ZIP Code Tabulation Areas (ZCTAs) from TIGER or
 * cartographic boundary files.
 */
import { basename } from 'node:path';
import type { Database } from '../../base/db/database.ts';
import { markNewerThanCoast } from '../../base/db/datasets.ts';
import { describeError } from '../../base/observe/describe-error.ts';
import { ImportError } from '../../errors.ts';
import { whyOutside } from '../../base/geodata/country.ts';
import {
  findColumn,
  GEOGRAPHY_COLUMNS,
  parseZip,
  ZIP_COLUMNS,
  zipProblem,
} from '../../base/geodata/zip-code.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import { fitOldCoast } from './basemap-store.ts';
import { hasFittedWater } from './coast/has-coast.ts';
import { compareBoundaries, type BoundaryComparison } from './boundary-changes/compare.ts';
import { storeBoundaryReport } from './boundary-changes/store.ts';
import { boundaryNotes } from './boundary-changes/words.ts';
import { storeBoundaries, type BoundarySource } from './boundaries.ts';
import { expandFolders } from './input-file.ts';
import type { Progress } from './progress.ts';
import { refuseShrinking } from './refuse-shrinking.ts';
import { Findings, type ImportReport } from './report.ts';
import { readShapes } from './shapes.ts';
import { boundsOf } from './topology.ts';
import type { Shapes } from './shape-levels.ts';

export interface ZctaOptions {
  /** Attribute with the ZIP code; default: the Census Bureau's names */
  zipColumn?: string;
  /** Display text; default: from the Census Bureau's column names */
  vintage?: string;
  /** Allow the import to remove most ZIP codes */
  allowShrink?: boolean;
  dryRun?: boolean;
  /** `later`: the caller fits the coast. Default: fit it, because ZIP codes count as land */
  coast?: 'later';
  progress: Progress;
}

const COLUMNS = [...ZIP_COLUMNS, ...GEOGRAPHY_COLUMNS];
const LAND_COLUMNS = ['aland20', 'aland10', 'aland'];

/**
 * Replaces all ZIP code boundaries with those of the files, which together cover the country.
 * @throws ImportError, without changing anything, if the files can't be read or contain no ZIP
 *   codes
 */
export async function importZcta(
  db: Database,
  files: string[],
  options: ZctaOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  options.progress('Reading and simplifying polygons', 0, 0);
  const united = new Set<string>();
  let zipColumn: string | undefined;
  const columnOf = (properties: Shapes['properties'][0] = {}) =>
    (zipColumn ??= findZipColumn(properties, options.zipColumn));
  const shapes = await readShapes(await expandFolders(files), {
    note: (text) => findings.note(text),
    unite: {
      keyOf: (properties) => parseZip(properties[columnOf(properties)]),
      onUnited: (divided) => divided.forEach((zip) => united.add(zip)),
    },
  });
  const zips = collectZips(shapes, columnOf(shapes.properties[0]), united, findings);
  if (zips.size === 0) {
    throw new ImportError(
      `None of the ${findings.rowsRead} features is usable. ` +
        findings.rejected.map((r) => `${r.count}: ${r.reason} (${r.examples[0]})`).join('; '),
    );
  }
  const vintage = options.vintage ?? vintageOf(columnOf(), files);
  let comparison: BoundaryComparison | null = null;
  const kept = await storeBoundaries(
    db,
    { shapes, zips, facts: { vintage, synthetic: false } },
    {
      dryRun: options.dryRun ?? false,
      findings,
      progress: options.progress,
      beforeSwap: async (staged, tables) => {
        if (!options.allowShrink) {
          const command = 'territory-admin import zcta … --allow-shrink';
          refuseShrinking(staged, await countMapped(db), command);
        }
        options.progress('Comparing boundaries', 0, 0);
        comparison = await compareBoundaries(db, tables, vintage);
        for (const note of comparison ? boundaryNotes(comparison) : []) findings.note(note);
      },
      startSwap: async (tx, tables) => {
        if (comparison) await storeBoundaryReport(tx, tables, comparison);
      },
      inSwap: async (tx) => {
        if (await hasFittedWater(tx)) await markNewerThanCoast(tx, ['boundaries']);
      },
    },
  );
  if (!options.dryRun && options.coast !== 'later') await fitCoastAgain(db, findings, options);
  return findings.report({ kind: 'zcta', files, vintage, dryRun: options.dryRun, kept });
}

/**
 * Fits the coast if it depends on the boundaries or was never fitted. The boundaries are already stored, so
 * a failure becomes a note.
 */
async function fitCoastAgain(
  db: Database,
  findings: Findings,
  { progress }: ZctaOptions,
): Promise<void> {
  try {
    await fitOldCoast(db, { progress, note: (text) => findings.note(text) });
  } catch (error) {
    findings.note(
      `water wasn’t fitted to the new boundaries: ${describeError(error)}. Import the states again: ` +
        'territory-admin import basemap FILE',
    );
  }
}

/** Returns the attribute in the file's own spelling. */
function findZipColumn(properties: Shapes['properties'][0], wanted?: string): string {
  const columns = Object.keys(properties);
  const found = findColumn(columns, wanted ? [wanted.toLowerCase()] : COLUMNS);
  if (found !== undefined) return found;
  const present = columns.length > 0 ? `It has: ${columns.join(', ')}` : 'It has no attributes';
  throw new ImportError(
    `The file has no ZIP code column. Expected ${wanted ?? `one of ${COLUMNS.join(', ').toUpperCase()}`}. ` +
      `${present}. Name the right column with --zip-column.`,
  );
}

function collectZips(
  shapes: Shapes,
  zipColumn: string,
  united: ReadonlySet<string>,
  findings: Findings,
) {
  const zips: BoundarySource['zips'] = new Map();
  const [finest] = shapes.levels;
  const landColumns = LAND_COLUMNS.flatMap(
    (column) => findColumn(Object.keys(shapes.properties[0] ?? {}), [column]) ?? [],
  );
  shapes.properties.forEach((properties, index) => {
    findings.rowsRead++;
    if (shapes.absorbed?.has(index)) return;
    const value = properties[zipColumn] ?? '';
    const zip = parseZip(value);
    const geometry = finest!.geometries[index];
    if (zip === null) {
      findings.reject(zipProblem(value), `feature ${index + 1}: "${String(value)}"`);
      return;
    }
    if (!geometry?.type.endsWith('Polygon')) {
      findings.reject('the polygon is missing or has no area', zip);
      return;
    }
    const outside = whyOutside(boundsOf(geometry, finest!.arcs));
    if (outside !== null) {
      findings.reject(outside, zip);
      return;
    }
    // Parts may repeat the land area of the whole.
    const land = united.has(zip)
      ? null
      : landColumns.map((c) => Number(properties[c])).find((m2) => m2 > 0);
    zips.set(index, { zip, landAreaM2: land ?? null });
  });
  if (united.size > 0) {
    findings.note(
      `${pluralize(united.size, 'ZIP code')} came in several features, which were united: ` +
        joinFirst([...united].sort(), 5),
    );
  }
  return zips;
}

function vintageOf(zipColumn: string, files: string[]): string {
  const year = /(?:CE|GEOID)(10|20)$/i.exec(zipColumn)?.[1];
  if (year) return `Census 20${year} ZCTAs`;
  return `ZCTAs of ${files.map((f) => basename(f)).join(', ')}`;
}

async function countMapped(db: Database): Promise<number> {
  const [{ mapped }] = (await db.query('select count(bbox)::int as mapped from zips')) as [
    { mapped: number },
  ];
  return mapped;
}
