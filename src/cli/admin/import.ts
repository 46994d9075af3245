/** `territory-admin import zcta | acs | basemap` */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { BASEMAP_LAYERS, type BasemapLayer } from '../../basemap/features.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { importAcs, mergeAcs, type AcsOptions } from '../../ingest/acs.ts';
import { ensureStatesAndCounties } from '../../ingest/atlas-install.ts';
import { importBasemap } from '../../ingest/basemap.ts';
import { downloadAcs } from '../../ingest/census-api.ts';
import { Findings, type ImportReport } from '../../ingest/report.ts';
import { importZcta } from '../../ingest/zcta.ts';
import { bringUpToDate } from '../../prepare.ts';
import { recomputeScores } from '../../scoring/recompute.ts';
import { importReportText, scoringReportText } from '../report-text.ts';
import { jsonOption, print, withDatabase, withProgress } from './command.ts';

interface Flags {
  json?: boolean;
  dryRun?: boolean;
  vintage?: string;
}

const dryRunOption = () => new Option('--dry-run', 'read and check everything, change nothing');

export function addImportCommands(program: Command): void {
  const imports = program
    .command('import')
    .description('import census and basemap files; each import is all or nothing')
    .showHelpAfterError();
  addZcta(imports);
  addAcs(imports);
  addBasemap(imports);
}

function addZcta(imports: Command): void {
  imports
    .command('zcta')
    .description('ZIP boundaries: shapefile (.shp or .zip), GeoJSON, newline-delimited GeoJSON')
    .argument('<files...>', 'the whole country; several files if it comes in parts')
    .option('--zip-column <name>', 'attribute that holds the ZIP (default: the census’s names)')
    .option('--vintage <text>', 'what to call the data, e.g. "Census 2020 ZCTAs"')
    .option('--allow-shrink', 'allow that fewer than half of the present ZIPs remain')
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action((files: string[], options: Flags & { zipColumn?: string; allowShrink?: boolean }) =>
      withDatabase(async (db) => {
        const report = await withProgress(async (progress) => {
          await bringUpToDate(db);
          await ensureStatesAndCounties(db, progress);
          return importZcta(db, files, { ...options, progress });
        });
        print(options, report, importReportText);
      }),
    );
}

interface AcsFlags extends Flags {
  year?: number;
  download?: boolean;
  replace?: boolean;
  /** Cleared by --no-score */
  score: boolean;
}

function addAcs(imports: Command): void {
  imports
    .command('acs')
    .description('demographics: Census API JSON or table-based CSV, of one or several vintages')
    .argument('[files...]', 'e.g. acs5_2023_B25003.json ACSDT5Y2023.B19013-Data.csv')
    .option('--year <year>', 'last year of the five (default: told from the file names)', parseYear)
    .option('--download', 'fetch the tables of --year from the Census API')
    .option('--replace', 'drop what earlier imports brought, also of tables not in these files')
    .option('--no-score', 'leave the scores as they are')
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action((files: string[], options: AcsFlags, command: Command) => {
      const complete = options.download ? options.year && files.length === 0 : files.length > 0;
      if (!complete) command.error('error: give files to import, or --download --year YEAR');
      return withDatabase(async (db, config) => {
        const result = await withProgress(async (progress) => {
          await bringUpToDate(db);
          const report = options.download
            ? await downloadAndMerge(db, config, options.year!, { ...options, progress })
            : await importAcs(db, files, { ...options, progress });
          const rescore = options.score && !options.dryRun;
          return { ...report, scores: rescore ? await recomputeScores(db, progress) : null };
        });
        print(options, result, ({ scores, ...report }) =>
          [importReportText(report), ...(scores ? ['', scoringReportText(scores)] : [])].join('\n'),
        );
      });
    });
}

async function downloadAndMerge(
  db: Database,
  config: Config,
  year: number,
  options: AcsOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  const api = { url: config.censusApiUrl, key: config.censusApiKey };
  const files = await downloadAcs(api, year, findings, options.progress);
  return mergeAcs(db, [`Census API ${year}`], files, findings, options);
}

function addBasemap(imports: Command): void {
  imports
    .command('basemap')
    .description('basemap layers: Natural Earth, census states and counties, roads')
    .argument('<files...>', 'GeoJSON or shapefiles; the layer is told from the file names')
    .addOption(
      new Option('--layer <layer>', 'the layer of all the files').choices([...BASEMAP_LAYERS]),
    )
    .option('--vintage <text>', 'what to call the data, e.g. "Natural Earth 5.1"')
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action((files: string[], options: Flags & { layer?: BasemapLayer }) =>
      withDatabase(async (db) => {
        const report = await withProgress(async (progress) => {
          await bringUpToDate(db);
          await ensureStatesAndCounties(db, progress);
          return importBasemap(db, files, { ...options, progress });
        });
        print(options, report, importReportText);
      }),
    );
}

function parseYear(text: string): number {
  const year = Number(text);
  if (/^\d{4}$/.test(text) && year >= 2009 && year <= 2100) return year;
  throw new InvalidArgumentError('Expected a year such as 2023.');
}
