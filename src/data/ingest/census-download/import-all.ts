/**
 * `import all --download`: downloads boundaries, figures, and the basemap from the Census Bureau, and
 * imports them part by part. A part is imported only if all of its files are complete.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { hasImportKey, setImportKey, type DatasetName } from '../../../base/db/datasets.ts';
import type { Database } from '../../../base/db/database.ts';
import { ImportError } from '../../../errors.ts';
import { states as allStates } from '../../../base/geodata/states.ts';
import { mergeAcs } from '../acs.ts';
import { importBasemap } from '../basemap.ts';
import { fitOldCoast } from '../basemap-store.ts';
import { downloadAcs, type CensusApi } from '../census-api.ts';
import type { Progress } from '../progress.ts';
import { Findings, type ImportReport } from '../report.ts';
import { TemporaryFailure } from '../retry.ts';
import { importZcta } from '../zcta.ts';
import { countyCodes } from './county-codes.ts';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import { openWater } from './open-water.ts';
import { filesOf, FIRST_YEAR, PARTS, type FilePart, type Part } from './files.ts';

export interface ImportAllOptions {
  year: number;
  /** Codes of states whose roads, water, and land use to import. Default: all in the file of counties */
  states?: readonly string[];
  /** Default: all */
  parts?: readonly Part[];
  /** Whether to include streets and streams */
  streets: boolean;
  /** Whether to import parts again that are already imported */
  again: boolean;
  /** Folder that keeps downloaded files */
  cache: string;
  /** Address of the files, without a trailing slash */
  filesUrl: string;
  api: CensusApi;
  download?: DownloadOptions;
  dryRun: boolean;
  progress: Progress;
}

export interface PartReport {
  part: Part;
  /**
   * `kept`: the data in the database already comes from these files; `failed`: the data in the database is
   * unchanged
   */
  outcome: 'imported' | 'kept' | 'failed';
  /** Reason of a failure */
  reason: string | null;
  /** Files that the Census Bureau doesn't publish, such as the roads of an island area */
  skipped: string[];
  report: ImportReport | null;
}

export interface ImportAllReport {
  year: number;
  states: readonly string[] | 'all';
  dryRun: boolean;
  files: { downloaded: number; present: number; bytesDownloaded: number };
  parts: PartReport[];
  seconds: number;
}

/** Few at a time, because the server is a public service */
const PARALLEL_DOWNLOADS = 3;

/** @throws ImportError if the year has no files, or the list of counties can't be downloaded */
export async function importAll(db: Database, options: ImportAllOptions): Promise<ImportAllReport> {
  const startedAt = performance.now();
  const parts = PARTS.filter((part) => (options.parts ?? PARTS).includes(part));
  if (options.year < FIRST_YEAR) {
    throw new ImportError(
      `Files of ${options.year} have other names. Choose a year from ${FIRST_YEAR} on.`,
    );
  }
  const downloads = new Downloads(options);
  const places = await placesOf(parts, downloads, options);
  const reports: PartReport[] = [];
  for (const part of parts) {
    const skipped: string[] = [];
    const report = (outcome: PartReport['outcome'], more: Partial<PartReport> = {}) =>
      reports.push({ part, outcome, reason: null, skipped, report: null, ...more });
    try {
      const files =
        part === 'figures'
          ? []
          : await downloads.all(
              part,
              filesOf(part, options.year, places, options.streets),
              skipped,
            );
      const key = await importKey(options.year, part, files);
      if (!options.again && (await hasImportKey(db, [DATASET[part]], key))) {
        report('kept');
        continue;
      }
      const imported = await importPart(db, part, files, options);
      if (!options.dryRun) await setImportKey(db, [DATASET[part]], key);
      report('imported', { report: imported });
    } catch (error) {
      if (!(error instanceof ImportError || error instanceof TemporaryFailure)) throw error;
      report('failed', { reason: error.message });
    }
  }
  if (!options.dryRun) await fitOldCoast(db, { progress: options.progress });
  return {
    year: options.year,
    states: options.states ?? 'all',
    dryRun: options.dryRun,
    files: downloads.counts,
    parts: reports,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

const DATASET: Readonly<Record<Part, DatasetName>> = {
  states: 'states',
  counties: 'counties',
  boundaries: 'boundaries',
  figures: 'demographics',
  places: 'places',
  roads: 'roads',
  water: 'water',
  landuse: 'landuse',
};

/** Identifies the input of an import: the year and the files with their sizes. */
async function importKey(year: number, part: Part, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${basename(file)} ${(await stat(file)).size}\n`);
  return `${year} ${part} ${hash.digest('hex').slice(0, 16)}`;
}

async function importPart(
  db: Database,
  part: Part,
  files: string[],
  { year, api, dryRun, progress }: ImportAllOptions,
): Promise<ImportReport> {
  if (part === 'figures') {
    const findings = new Findings();
    const tables = await downloadAcs(api, year, findings, progress);
    return mergeAcs(db, [`Census API ${year}`], tables, findings, { dryRun, progress });
  }
  if (part === 'boundaries') return importZcta(db, files, { coast: 'later', dryRun, progress });
  const more = part === 'water' ? await openWater() : [];
  // Fitting the coast takes longer than importing the states, and the water part repeats it.
  const coast = part === 'water' ? undefined : 'later';
  return importBasemap(db, files, { layer: part, more, coast, dryRun, progress });
}

/** The states and, if the parts need them, their counties. */
async function placesOf(
  parts: readonly Part[],
  downloads: Downloads,
  { year, states, streets }: ImportAllOptions,
) {
  const wanted = states ?? allStates().map(({ fips }) => fips);
  const needsCounties = parts.includes('water') || (parts.includes('roads') && streets);
  if (!needsCounties) return { states: wanted, counties: [] };
  const paths = filesOf('counties', year, { states: [], counties: [] }, streets);
  const [file] = await downloads.all('counties', paths, []).catch((error: unknown) => {
    throw error instanceof TemporaryFailure
      ? new ImportError(error.message, { cause: error })
      : error;
  });
  const codes = await countyCodes(file!);
  return { states: wanted, counties: codes.filter((code) => wanted.includes(code.slice(0, 2))) };
}

/** Downloads files and counts them. */
class Downloads {
  readonly #options: ImportAllOptions;
  readonly counts = { downloaded: 0, present: 0, bytesDownloaded: 0 };
  readonly #counted = new Set<string>();

  constructor(options: ImportAllOptions) {
    this.#options = options;
  }

  /**
   * Downloads all files of a part, even if some fail, so that the next run has fewer left.
   * @param skipped receives the names of files that aren't published
   * @returns the paths of the files
   */
  async all(part: FilePart, paths: readonly string[], skipped: string[]): Promise<string[]> {
    const { filesUrl, cache, download, progress, year } = this.#options;
    const limit = pLimit(PARALLEL_DOWNLOADS);
    let done = 0;
    const failures: { path: string; error: unknown }[] = [];
    const files = await Promise.all(
      paths.map((path) =>
        limit(async () => {
          // A server that fails for some files would fail for thousands.
          if (failures.length >= MAX_FAILURES) return null;
          const file = join(cache, path);
          try {
            const result = await downloadFile(`${filesUrl}/${path}`, file, download);
            if (result.outcome === 'missing') {
              skipped.push(basename(path));
              return null;
            }
            this.#count(path, result.outcome, result.bytes);
            return file;
          } catch (error) {
            failures.push({ path, error });
            return null;
          } finally {
            progress(`Downloading ${part} of ${year}`, ++done, paths.length);
          }
        }),
      ),
    );
    skipped.sort();
    const [first] = failures;
    if (first) throw failureOf(first.path, first.error, failures.length);
    const found = files.filter((file) => file !== null);
    if (found.length > 0) return found;
    throw new ImportError(
      `The Census Bureau has no ${part} of ${year} at ${filesUrl}/${paths[0]}. Choose another year.`,
    );
  }

  #count(path: string, outcome: 'downloaded' | 'present', bytes: number): void {
    if (this.#counted.has(path)) return;
    this.#counted.add(path);
    this.counts[outcome]++;
    if (outcome === 'downloaded') this.counts.bytesDownloaded += bytes;
  }
}

const MAX_FAILURES = 5;

function failureOf(path: string, error: unknown, count: number): unknown {
  if (!(error instanceof TemporaryFailure)) return error;
  const others = count > 1 ? ` (and ${count - 1} more files)` : '';
  return new ImportError(
    `${basename(path)}${others}: the server ${error.message}. ` +
      'Run the command again: it continues where it stopped.',
    { cause: error },
  );
}
