#!/usr/bin/env node
/** `territory-admin`: the operator's command. It works on the database, beside a running service. */
import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { BASEMAP_LAYERS, type BasemapLayer } from '../basemap/features.ts';
import { readConfig, type Config } from '../config.ts';
import { openDatabase, type Database } from '../db/database.ts';
import { ConfigError, ImportError, ServiceError } from '../errors.ts';
import { importAcs, mergeAcs } from '../ingest/acs.ts';
import { ensureStatesAndCounties } from '../ingest/atlas-install.ts';
import { importBasemap } from '../ingest/basemap.ts';
import { downloadAcs } from '../ingest/census-api.ts';
import type { Progress } from '../ingest/progress.ts';
import { Findings, type ImportReport } from '../ingest/report.ts';
import { importZcta } from '../ingest/zcta.ts';
import { drawScoreMap } from '../market/score-map.ts';
import { bringUpToDate } from '../prepare.ts';
import { STYLE_NAMES, type StyleName } from '../render/styles.ts';
import { recomputeScores, type ScoringReport } from '../scoring/recompute.ts';
import { progressDisplay } from './progress-bar.ts';
import { importReportText, scoringReportText } from './report-text.ts';

const program = new Command('territory-admin')
  .description(
    'The operator’s command: schema, imports, scores, pictures. It works on the database that the ' +
      'settings name (DATABASE_URL, or the embedded one in DATA_DIR).',
  )
  .showHelpAfterError()
  .addHelpText('after', '\nExit codes: 0 done, 1 failed and nothing changed, 2 wrong use.');

/** `--json` on every command: the result as JSON on standard output, problems on standard error. */
const JSON_OPTION = new Option('--json', 'print the result as JSON');

program
  .command('migrate')
  .description('bring the database to the current schema')
  .addOption(JSON_OPTION)
  .action((options: { json?: boolean }) =>
    withDatabase(async (db) => {
      const applied = await bringUpToDate(db);
      print(options, { applied }, () =>
        applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is current.',
      );
    }),
  );

const imports = program
  .command('import')
  .description('import census and basemap files; each import is all or nothing')
  .showHelpAfterError();

const DRY_RUN = new Option('--dry-run', 'read and check everything, change nothing');
const NO_SCORE = new Option('--no-score', 'leave the scores as they are');

interface ImportFlags {
  json?: boolean;
  dryRun?: boolean;
  vintage?: string;
}

imports
  .command('zcta')
  .description('ZIP boundaries: shapefile (.shp or .zip), GeoJSON, newline-delimited GeoJSON')
  .argument('<files...>', 'one country; in several files if it comes in parts')
  .option('--zip-column <name>', 'attribute that holds the ZIP (default: the census’s names)')
  .option('--vintage <text>', 'what to call the data, e.g. "Census 2020 ZCTAs"')
  .option('--allow-shrink', 'allow that fewer than half of the present ZIPs remain')
  .addOption(DRY_RUN)
  .addOption(JSON_OPTION)
  .action((files: string[], options: ImportFlags & { zipColumn?: string; allowShrink?: boolean }) =>
    withDatabase(async (db) => {
      const report = await withProgress(async (progress) => {
        await bringUpToDate(db);
        await ensureStatesAndCounties(db, progress);
        return importZcta(db, files, { ...options, progress });
      });
      print(options, report, importReportText);
    }),
  );

imports
  .command('acs')
  .description('demographics: Census API JSON or table-based CSV, of one or several vintages')
  .argument('[files...]', 'e.g. acs5_2023_B25003.json, ACSDT5Y2023.B19013-Data.csv')
  .option('--year <year>', 'last year of the five (default: told from the file names)', parseYear)
  .option('--download', 'fetch the tables of --year from the Census API')
  .option('--replace', 'drop what earlier imports brought, also of tables not in these files')
  .addOption(NO_SCORE)
  .addOption(DRY_RUN)
  .addOption(JSON_OPTION)
  .action(
    (
      files: string[],
      options: ImportFlags & {
        year?: number;
        download?: boolean;
        replace?: boolean;
        score: boolean;
      },
      command: Command,
    ) => {
      if (options.download ? !options.year || files.length > 0 : files.length === 0) {
        command.error('error: give files to import, or --download --year YEAR');
      }
      return withDatabase(async (db, config) => {
        const result = await withProgress(async (progress) => {
          await bringUpToDate(db);
          const report = options.download
            ? await downloadAndMerge(db, config, options.year!, { ...options, progress })
            : await importAcs(db, files, { ...options, progress });
          const rescore = options.score && !options.dryRun;
          return { report, scores: rescore ? await recomputeScores(db, progress) : null };
        });
        print(options, result, ({ report, scores }) =>
          [importReportText(report), scores ? scoringReportText(scores) : ''].join('\n\n').trim(),
        );
      });
    },
  );

async function downloadAndMerge(
  db: Database,
  config: Config,
  year: number,
  options: { replace?: boolean; dryRun?: boolean; progress: Progress },
): Promise<ImportReport> {
  const findings = new Findings();
  const api = { url: config.censusApiUrl, key: config.censusApiKey };
  const files = await downloadAcs(api, year, findings, options.progress);
  return mergeAcs(db, [`Census API ${year}`], files, findings, options);
}

imports
  .command('basemap')
  .description('basemap layers: Natural Earth, census states and counties, roads')
  .argument('<files...>', 'GeoJSON or shapefiles; the layer is told from the file names')
  .addOption(
    new Option('--layer <layer>', 'the layer of all the files').choices([...BASEMAP_LAYERS]),
  )
  .option('--vintage <text>', 'what to call the data, e.g. "Natural Earth 5.1"')
  .addOption(DRY_RUN)
  .addOption(JSON_OPTION)
  .action((files: string[], options: ImportFlags & { layer?: BasemapLayer }) =>
    withDatabase(async (db) => {
      const report = await withProgress(async (progress) => {
        await bringUpToDate(db);
        await ensureStatesAndCounties(db, progress);
        return importBasemap(db, files, { ...options, progress });
      });
      print(options, report, importReportText);
    }),
  );

program
  .command('score')
  .description('recompute every score from the demographics')
  .addOption(JSON_OPTION)
  .action((options: { json?: boolean }) =>
    withDatabase(async (db) => {
      await bringUpToDate(db);
      const report = await withProgress((progress) => recomputeScores(db, progress));
      print<ScoringReport>(options, report, scoringReportText);
    }),
  );

program
  .command('render')
  .description('draw a metro or a list of ZIPs, coloured by a vertical’s score, as PNG')
  .addOption(new Option('--metro <slug>', 'a launched metro, e.g. dallas-tx').conflicts('zips'))
  .option('--zips <list>', 'ZIPs between commas, e.g. 75201,75204', (text) => text.split(/[,\s]+/))
  .requiredOption('--vertical <slug>', 'e.g. roofing')
  .addOption(new Option('--style <name>', 'basemap').choices([...STYLE_NAMES]).default('light'))
  .option('--size <WxH>', 'in CSS pixels', parseSize, { width: 1200, height: 800 })
  .option('--ratio <number>', 'device pixels per CSS pixel, 1 to 3', parseRatio, 1)
  .requiredOption('-o, --output <file>', 'where to put the picture')
  .addOption(JSON_OPTION)
  .action((options: RenderFlags, command: Command) => {
    if (!options.metro && !options.zips) command.error('error: give --metro or --zips');
    return withDatabase(async (db) => {
      const { png, ...map } = await drawScoreMap(db, {
        market: options.metro ? { metro: options.metro } : { zips: options.zips! },
        vertical: options.vertical,
        style: options.style,
        ...options.size,
        pixelRatio: options.ratio,
      });
      await writeFile(options.output, png);
      print(options, { file: options.output, bytes: png.length, ...map }, (result) =>
        [
          `${result.file}: ${result.zips} ZIPs, ${result.scored} with a score (${result.vintage}).`,
          ...(result.missing.length > 0
            ? [`Without a boundary, not drawn: ${result.missing.join(', ')}.`]
            : []),
        ].join('\n'),
      );
    });
  });

interface RenderFlags {
  metro?: string;
  zips?: string[];
  vertical: string;
  style: StyleName;
  size: { width: number; height: number };
  ratio: number;
  output: string;
  json?: boolean;
}

await program.parseAsync();

/** Runs on the database of the settings; a failure is told in one sentence, with exit code 1. */
async function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  let db: Database | undefined;
  try {
    const config = readConfig(process.env);
    db = await openDatabase(config);
    await work(db, config);
  } catch (error) {
    process.stderr.write(`territory-admin: ${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    await db?.close();
  }
}

function explain(error: unknown): string {
  const expected = [ImportError, ServiceError, ConfigError].some((kind) => error instanceof kind);
  if (expected) return (error as Error).message;
  // A fault of ours: the operator can do nothing with less than all of it.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const display = progressDisplay();
  try {
    return await work(display.progress);
  } finally {
    display.stop();
  }
}

function print<T>(options: { json?: boolean }, result: T, text: (result: T) => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : text(result)}\n`);
}

function parseYear(text: string): number {
  const year = Number(text);
  if (/^\d{4}$/.test(text) && year >= 2009 && year <= 2100) return year;
  throw new InvalidArgumentError('Expected a year such as 2023.');
}

const SIDE = { min: 64, max: 2048 };

function parseSize(text: string): { width: number; height: number } {
  const [width, height] = (/^(\d+)x(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  const fits = (side?: number) => side !== undefined && side >= SIDE.min && side <= SIDE.max;
  if (fits(width) && fits(height)) return { width: width!, height: height! };
  throw new InvalidArgumentError(
    `Expected WIDTHxHEIGHT such as 1200x800, each ${SIDE.min} to ${SIDE.max}.`,
  );
}

function parseRatio(text: string): number {
  const ratio = Number(text);
  if (ratio >= 1 && ratio <= 3) return ratio;
  throw new InvalidArgumentError('Expected a number from 1 to 3.');
}
