/** `territory-admin import all --download`: imports all data from the Census Bureau's servers. */
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { withStatesAndCounties } from '../../data/ingest/atlas-install.ts';
import { PARTS, type Part } from '../../data/ingest/census-download/files.ts';
import { importAll, type ImportAllReport } from '../../data/ingest/census-download/import-all.ts';
import type { Progress } from '../../data/ingest/progress.ts';
import { bringUpToDate } from '../start/prepare.ts';
import { recomputeOldScores } from '../../data/scoring/recompute.ts';
import { findState } from '../../base/geodata/states.ts';
import { announceBoundaryChanges } from '../../territories/brands/boundaries/announce.ts';
import { announceCensusChanges } from '../../territories/brands/census/announce.ts';
import { importAllReportText } from './import-all-text.ts';
import { print, withDatabase, withProgress } from './command.ts';

interface Flags {
  download?: boolean;
  year?: number;
  states?: string[];
  only?: Part[];
  streets?: boolean;
  again?: boolean;
  cache?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** @param parseYear parser that the other imports use */
export function addImportAll(imports: Command, parseYear: (text: string) => number): void {
  imports
    .command('all')
    .description(
      'download boundaries, figures, and basemap from the Census Bureau, and import them',
    )
    .option('--download', 'download the files that earlier runs haven’t downloaded')
    .option('--year <year>', 'year of the files and last year of the figures', parseYear)
    .option(
      '--states <list>',
      'states whose roads, water, and land use to import, e.g. TX,OK',
      parseStates,
    )
    .addOption(
      new Option('--only <list>', `parts to import: ${PARTS.join(', ')}`).argParser(parseParts),
    )
    .option('--streets', 'include all streets and streams, not only main roads and areas of water')
    .option('--again', 'import parts again even if they already come from these files')
    .option('--cache <folder>', 'folder that keeps downloaded files (default: census in DATA_DIR)')
    .addOption(new Option('--dry-run', 'download and check the files without changing data'))
    .action((flags: Flags, command: Command) => {
      if (!flags.download || !flags.year) command.error('error: use --download --year YEAR');
      return withDatabase(async (db, config) => {
        const result = await withProgress((progress) => run(db, config, flags, progress));
        print(flags, result, importAllReportText);
        if (result.parts.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
      });
    });
}

async function run(
  db: Database,
  config: Config,
  flags: Flags,
  progress: Progress,
): Promise<ImportAllReport> {
  await bringUpToDate(db);
  const dryRun = flags.dryRun ?? false;
  try {
    const all = () =>
      importAll(db, {
        year: flags.year!,
        states: flags.states,
        parts: flags.only,
        streets: flags.streets ?? false,
        again: flags.again ?? false,
        cache: resolve(flags.cache ?? join(config.dataDir, 'census')),
        filesUrl: config.censusFilesUrl,
        api: { url: config.censusApiUrl, key: config.censusApiKey },
        dryRun,
        progress,
      });
    return await withStatesAndCounties(db, { dryRun, progress }, all);
  } finally {
    // Also after a failure, because parts imported before it stay.
    if (!dryRun) {
      await recomputeOldScores(db, progress);
      await announceBoundaryChanges(db);
      await announceCensusChanges(db);
    }
  }
}

function parseStates(text: string): string[] {
  return text.split(',').map((name) => {
    const state = findState(name);
    if (state) return state.fips;
    throw new InvalidArgumentError(`There is no state "${name.trim()}". Use codes such as TX,OK.`);
  });
}

function parseParts(text: string): Part[] {
  return text.split(',').map((name) => {
    const part = PARTS.find((known) => known === name.trim());
    if (part) return part;
    throw new InvalidArgumentError(`There is no part "${name.trim()}". Use ${PARTS.join(', ')}.`);
  });
}
