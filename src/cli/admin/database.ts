/** `territory-admin migrate | sample | score` */
import type { Command } from 'commander';
import { badRequest } from '../../errors.ts';
import { bringUpToDate, fillWithSample, isEmpty } from '../../prepare.ts';
import { recomputeScores } from '../../scoring/recompute.ts';
import { scoringReportText } from '../report-text.ts';
import { jsonOption, print, withDatabase, withProgress } from './command.ts';

interface Flags {
  json?: boolean;
}

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the current schema')
    .addOption(jsonOption())
    .action((options: Flags) =>
      withDatabase(async (db) => {
        const applied = await bringUpToDate(db);
        print(options, { applied }, () =>
          applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is current.',
        );
      }),
    );

  program
    .command('sample')
    .description('fill an empty database with national sample data (synthetic), scored')
    .addOption(jsonOption())
    .action((options: Flags) =>
      withDatabase(async (db) => {
        await bringUpToDate(db);
        if (!(await isEmpty(db))) {
          throw badRequest('The database has data already. The sample is for an empty one.');
        }
        const scores = await withProgress((progress) => fillWithSample(db, progress));
        print(options, scores, () => `Filled with ${scores.vintage}: ${scores.zips} ZIPs.`);
      }),
    );

  program
    .command('score')
    .description('recompute every score from the demographics')
    .addOption(jsonOption())
    .action((options: Flags) =>
      withDatabase(async (db) => {
        await bringUpToDate(db);
        const report = await withProgress((progress) => recomputeScores(db, progress));
        print(options, report, scoringReportText);
      }),
    );
}
