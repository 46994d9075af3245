/**
 * `import zcta`: the census's ZIP Code Tabulation Areas from TIGER or cartographic-boundary files.
 */
import { basename } from 'node:path';
import type { Database } from '../db/database.ts';
import { ImportError } from '../errors.ts';
import { storeBoundaries, type BoundarySource } from './boundaries.ts';
import type { Progress } from './progress.ts';
import { Findings, type ImportReport } from './report.ts';
import { readShapes, type Shapes } from './shapes.ts';

export interface ZctaOptions {
  /** Name of the attribute that holds the ZIP code; by default the census's names are tried */
  zipColumn?: string;
  /** For people; by default told from the census's column names */
  vintage?: string;
  /** Allow that far fewer ZIP codes have a boundary afterwards */
  allowShrink?: boolean;
  dryRun?: boolean;
  progress: Progress;
}

/** The census's names by vintage, then what others use. */
const ZIP_COLUMNS = [
  ...['ZCTA5CE20', 'ZCTA5CE10', 'ZCTA5CE', 'GEOID20', 'GEOID10', 'GEOID'],
  ...['ZCTA5', 'ZCTA', 'ZIP', 'ZIPCODE', 'ZIP_CODE', 'POSTALCODE'],
];
const LAND_COLUMNS = ['ALAND20', 'ALAND10', 'ALAND'];

/**
 * Replaces all ZIP code boundaries by those of the files (one country in parts may come in
 * several).
 * @throws ImportError and changes nothing if the files cannot be read or hold no ZIP codes
 */
export async function importZcta(
  db: Database,
  files: string[],
  options: ZctaOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  options.progress('Reading and simplifying polygons', 0, 0);
  const shapes = await readShapes(files);
  const zipColumn = findZipColumn(shapes, options.zipColumn);
  const zips = collectZips(shapes, zipColumn, findings);
  if (zips.size === 0) {
    throw new ImportError(
      `None of the ${findings.rowsRead} features can be used. ` +
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
      beforeSwap: (staged) => refuseShrinking(db, staged, options.allowShrink ?? false),
    },
  );
  return findings.report({ kind: 'zcta', files, vintage, dryRun: options.dryRun, kept });
}

/** The attribute's own spelling. */
function findZipColumn({ properties }: Shapes, wanted?: string): string {
  const columns = Object.keys(properties[0] ?? {});
  const candidates = wanted ? [wanted] : ZIP_COLUMNS;
  for (const candidate of candidates) {
    const found = columns.find((c) => c.toUpperCase() === candidate.toUpperCase());
    if (found) return found;
  }
  const there = columns.length > 0 ? `It has: ${columns.join(', ')}` : 'It has no attributes';
  throw new ImportError(
    `The file has no column for the ZIP code; expected ${wanted ?? `one of ${ZIP_COLUMNS.join(', ')}`}. ` +
      `${there}. Name the right one with --zip-column.`,
  );
}

function collectZips(shapes: Shapes, zipColumn: string, findings: Findings) {
  const zips: BoundarySource['zips'] = new Map();
  const seen = new Set<string>();
  shapes.properties.forEach((properties, index) => {
    findings.rowsRead++;
    const zip = String(properties[zipColumn] ?? '');
    if (!/^\d{5}$/.test(zip)) {
      const hint = /^\d{3,4}$/.test(zip) ? ' (has a leading zero been lost?)' : '';
      findings.reject(
        `the ZIP code does not have five digits${hint}`,
        `feature ${index + 1}: "${zip}"`,
      );
    } else if (seen.has(zip)) {
      findings.reject('the ZIP code stands in the file already; its first polygon was kept', zip);
    } else if (!shapes.levels[0]!.geometries[index]?.type.endsWith('Polygon')) {
      findings.reject('there is no polygon, or one without area', zip);
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

/** A file of one state in place of the country is more often a slip than a wish. */
async function refuseShrinking(db: Database, staged: number, allowed: boolean): Promise<void> {
  const [{ present, synthetic }] = (await db.query(
    `select (select count(*)::int from zips) as present,
       coalesce((select synthetic from datasets where name = 'boundaries'), true) as synthetic`,
  )) as [{ present: number; synthetic: boolean }];
  if (allowed || synthetic || staged >= present / 2) return;
  throw new ImportError(
    `The file has ${staged} ZIP codes, the database ${present}: the import would drop most of them. ` +
      'If that is what you want, pass --allow-shrink.',
  );
}
