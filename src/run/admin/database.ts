/** `territory-admin migrate | sample | score` */
import { once } from 'node:events';
import type { Command } from 'commander';
import { badRequest } from '../../errors.ts';
import { bringUpToDate, fillWithSample, isEmpty } from '../start/prepare.ts';
import type { GeneratedSample } from '../../data/ingest/sample/generate.ts';
import { recomputeScores } from '../../data/scoring/recompute.ts';
import { formatCount } from '../../base/text/words.ts';
import { scoringReportText } from './report-text.ts';
import { print, withDatabase, withProgress } from './command.ts';

interface Flags {
  json?: boolean;
}

export const defineMigrate = (command: Command) =>
  command.action((options: Flags) =>
    withDatabase(async (db) => {
      const applied = await bringUpToDate(db);
      print(options, { applied }, () =>
        applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.',
      );
    }),
  );

export const defineSample = (command: Command) =>
  command.action(async (options: Flags) => {
    // The service runs this command on its first start, and sends a message when the database is ready. Meanwhile,
    // the command generates the sample.
    let sample: GeneratedSample | undefined;
    if (process.send) {
      sample = (await import('../../data/ingest/sample/generate.ts')).generateSample();
      await once(process, 'message');
    }
    await withDatabase(async (db) => {
      await bringUpToDate(db);
      if (!(await isEmpty(db))) {
        throw badRequest(
          'The database already contains data. Load the sample into an empty database.',
        );
      }
      const scores = await withProgress((progress) => fillWithSample(db, progress, sample));
      print(
        options,
        scores,
        () => `Loaded ${scores.vintage}: ${formatCount(scores.zips)} ZIP codes.`,
      );
    });
  });

export const defineScore = (command: Command) =>
  command.action((options: Flags) =>
    withDatabase(async (db) => {
      await bringUpToDate(db);
      const report = await withProgress((progress) => recomputeScores(db, progress));
      print(options, report, scoringReportText);
    }),
  );
