/** `territory-admin import zcta | acs | zcta-relationship | basemap | all` */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { BASEMAP_LAYERS, type BasemapLayer } from '../../data/basemap/features.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { importAcs, mergeAcs, type AcsOptions } from '../../data/ingest/acs.ts';
import { withStatesAndCounties } from '../../data/ingest/atlas-install.ts';
import { filesAndLayers, importBasemap } from '../../data/ingest/basemap.ts';
import { downloadAcs } from '../../data/ingest/census-api.ts';
import { Findings, type ImportReport } from '../../data/ingest/report.ts';
import { importRelations } from '../../data/ingest/vintages/relations.ts';
import { importZcta } from '../../data/ingest/zcta.ts';
import { announceBoundaryChanges } from '../../territories/brands/boundaries/announce.ts';
import { announceCensusChanges } from '../../territories/brands/census/announce.ts';
import { pluralize } from '../../base/text/words.ts';
import { bringUpToDate } from '../start/prepare.ts';
import { recomputeScores } from '../../data/scoring/recompute.ts';
import { importReportText, scoringReportText } from './report-text.ts';
import { print, withDatabase, withProgress } from './command.ts';
import { addImportAll } from './import-all.ts';

interface Flags {
  json?: boolean;
  dryRun?: boolean;
  vintage?: string;
}

const dryRunOption = () =>
  new Option('--dry-run', 'read and check the files without changing anything');

export function defineImport(imports: Command): void {
  addZcta(imports);
  addAcs(imports);
  addRelations(imports);
  addBasemap(imports);
  addImportAll(imports, parseYear);
}

function addZcta(imports: Command): void {
  imports
    .command('zcta')
    .description(
      'import ZIP code boundaries: shapefile, GeoJSON, TopoJSON, FlatGeobuf, or GeoParquet',
    )
    .argument('<files...>', 'files that together cover the whole country')
    .option('--zip-column <name>', 'attribute with the ZIP code (default: the Census names)')
    .option('--vintage <text>', 'name of the data, e.g. "Census 2020 ZCTAs"')
    .option('--allow-shrink', 'allow an import that removes more than half of the ZIP codes')
    .addOption(dryRunOption())
    .action((files: string[], options: Flags & { zipColumn?: string; allowShrink?: boolean }) =>
      withDatabase(async (db) => {
        const { announced, ...report } = await withProgress(async (progress) => {
          await bringUpToDate(db);
          const { dryRun } = options;
          const imported = await withStatesAndCounties(db, { dryRun, progress }, () =>
            importZcta(db, files, { ...options, progress }),
          );
          return { ...imported, announced: dryRun ? 0 : await announceBoundaryChanges(db) };
        });
        print(options, { ...report, announced }, () =>
          [importReportText(report), ...toldText(announced)].join('\n'),
        );
      }),
    );
}

/** @param announced number of brands */
const toldText = (announced: number): string[] =>
  announced > 0
    ? ['', `The people of ${pluralize(announced, 'brand')} are told what changed.`]
    : [];

interface AcsFlags extends Flags {
  year?: number;
  download?: boolean;
  replace?: boolean;
  keepCurrent?: boolean;
  /** False with --no-score */
  score: boolean;
}

function addAcs(imports: Command): void {
  imports
    .command('acs')
    .description('import demographics: Census API JSON or table-based CSV, one or more vintages')
    .argument('[files...]', 'e.g. acs5_2023_B25003.json ACSDT5Y2023.B19013-Data.csv')
    .option(
      '--year <year>',
      'last year of the five-year period (default: from the file names)',
      parseYear,
    )
    .option('--download', 'download the tables of --year from the Census API')
    .option(
      '--replace',
      'delete all earlier demographics first, even if fewer than half of the sample’s ZIP codes remain',
    )
    .option(
      '--keep-current',
      'keep the figures for comparisons only; the current figures and scores stay as they are',
    )
    .option('--no-score', 'keep the current scores')
    .addOption(dryRunOption())
    .action((files: string[], options: AcsFlags, command: Command) => {
      const complete = options.download ? options.year && files.length === 0 : files.length > 0;
      if (!complete) command.error('error: name files to import, or use --download --year YEAR');
      return withDatabase(async (db, config) => {
        const result = await withProgress(async (progress) => {
          await bringUpToDate(db);
          const report = options.download
            ? await downloadAndMerge(db, config, options.year!, { ...options, progress })
            : await importAcs(db, files, { ...options, progress });
          const rescore = options.score && !options.dryRun && !options.keepCurrent;
          const scores = rescore ? await recomputeScores(db, progress) : null;
          const announced =
            options.dryRun || options.keepCurrent ? 0 : await announceCensusChanges(db);
          return { ...report, scores, announced };
        });
        print(options, result, ({ scores, announced, ...report }) =>
          [
            importReportText(report),
            ...(scores ? ['', scoringReportText(scores)] : []),
            ...toldText(announced),
          ].join('\n'),
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

function addRelations(imports: Command): void {
  imports
    .command('zcta-relationship')
    .description(
      'import which ZIP code areas of 2010 became which of 2020, to compare their figures',
    )
    .argument('<file>', 'the Census Bureau’s tab20_zcta510_zcta520_natl.txt')
    .addOption(dryRunOption())
    .action((file: string, options: Flags) =>
      withDatabase(async (db) => {
        const report = await withProgress(async (progress) => {
          await bringUpToDate(db);
          return importRelations(db, file, { ...options, progress });
        });
        print(options, report, importReportText);
      }),
    );
}

function addBasemap(imports: Command): void {
  imports
    .command('basemap')
    .description('import basemap layers: files of the Census Bureau, Natural Earth, and others')
    .argument(
      '<files...>',
      'shapefiles (.shp, .zip, or folders) or GeoJSON; names determine the layer',
    )
    .addOption(new Option('--layer <layer>', 'layer of all files').choices([...BASEMAP_LAYERS]))
    .option('--source <words>', 'attribution on maps (default: the publisher, from the file names)')
    // The former name of --source
    .addOption(new Option('--vintage <words>').hideHelp())
    .addOption(dryRunOption())
    .action((files: string[], options: Flags & { source?: string; layer?: BasemapLayer }) =>
      withDatabase(async (db) => {
        const report = await withProgress(async (progress) => {
          await bringUpToDate(db);
          const { layers } = await filesAndLayers(files, options.layer);
          const source = options.source ?? options.vintage;
          const { dryRun } = options;
          return withStatesAndCounties(db, { dryRun, progress, following: layers }, () =>
            importBasemap(db, files, { ...options, source, progress }),
          );
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
