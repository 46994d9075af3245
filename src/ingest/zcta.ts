/**
 * `import zcta`: imports the Census Bureau's ZIP Code Tabulation Areas (ZCTAs) from TIGER or
 * cartographic boundary files.
 */
import { basename } from 'node:path';
import type { Database } from '../db/database.ts';
import { markNewerThanCoast } from '../db/datasets.ts';
import { describeError } from '../observe/describe-error.ts';
import { ImportError } from '../errors.ts';
import { fitOldCoast } from './basemap-store.ts';
import { hasFittedWater } from './coast/has-coast.ts';
import { storeBoundaries, type BoundarySource } from './boundaries.ts';
import { expandFolders } from './input-file.ts';
import type { Progress } from './progress.ts';
import { refuseShrinking } from './refuse-shrinking.ts';
import { Findings, type ImportReport } from './report.ts';
import { readShapes } from './shapes.ts';
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

/** The Census Bureau's names by vintage, then other common names. */
const ZIP_COLUMNS = [
  ...['ZCTA5CE20', 'ZCTA5CE10', 'ZCTA5CE', 'GEOID20', 'GEOID10', 'GEOID'],
  ...['ZCTA5', 'ZCTA', 'ZIP', 'ZIPCODE', 'ZIP_CODE', 'POSTALCODE'],
];
const LAND_COLUMNS = ['ALAND20', 'ALAND10', 'ALAND'];

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
  const shapes = await readShapes(await expandFolders(files));
  const zipColumn = findZipColumn(shapes, options.zipColumn);
  const zips = collectZips(shapes, zipColumn, findings);
  if (zips.size === 0) {
    throw new ImportError(
      `None of the ${findings.rowsRead} features is usable. ` +
        findings.rejected.map((r) => `${r.count}: ${r.reason} (${r.examples[0]})`).join('; '),
    );
  }
  const vintage = options.vintage ?? vintageOf(zipColumn, files);
  const kept = await storeBoundaries(
    db,
    { shapes, zips, facts: { vintage, synthetic: false } },
    {
      dryRun: options.dryRun ?? false,
      findings,
      progress: options.progress,
      beforeSwap: async (staged) => {
        if (!options.allowShrink) {
          const command = 'territory-admin import zcta … --allow-shrink';
          refuseShrinking(staged, await countMapped(db), command);
        }
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
function findZipColumn({ properties }: Shapes, wanted?: string): string {
  const columns = Object.keys(properties[0] ?? {});
  const candidates = wanted ? [wanted] : ZIP_COLUMNS;
  for (const candidate of candidates) {
    const found = columns.find((c) => c.toUpperCase() === candidate.toUpperCase());
    if (found) return found;
  }
  const present = columns.length > 0 ? `It has: ${columns.join(', ')}` : 'It has no attributes';
  throw new ImportError(
    `The file has no ZIP code column. Expected ${wanted ?? `one of ${ZIP_COLUMNS.join(', ')}`}. ` +
      `${present}. Name the right column with --zip-column.`,
  );
}

function collectZips(shapes: Shapes, zipColumn: string, findings: Findings) {
  const zips: BoundarySource['zips'] = new Map();
  const seen = new Set<string>();
  shapes.properties.forEach((properties, index) => {
    findings.rowsRead++;
    const zip = String(properties[zipColumn] ?? '');
    if (!/^\d{5}$/.test(zip)) {
      const hint = /^\d{3,4}$/.test(zip) ? ' (was a leading zero lost?)' : '';
      findings.reject(
        `the ZIP code doesn’t have five digits${hint}`,
        `feature ${index + 1}: "${zip}"`,
      );
    } else if (seen.has(zip)) {
      findings.reject('duplicate ZIP code; the first polygon was kept', zip);
    } else if (!shapes.levels[0]!.geometries[index]?.type.endsWith('Polygon')) {
      findings.reject('the polygon is missing or has no area', zip);
    } else {
      seen.add(zip);
      const land = LAND_COLUMNS.map((c) => Number(properties[c])).find((area) => area > 0);
      zips.set(index, { zip, landAreaM2: land ?? null });
    }
  });
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
