/** The data study: demand in all launched metros and verticals, for journalists and spreadsheets. */
import { csvText, type CsvValue } from '../../../base/text/csv.ts';
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicDataStudy } from '../../../base/contract/vertical-resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { VERTICALS } from '../../scoring/verticals.ts';
import { launchedMetros } from '../metros.ts';
import { scoreFigures, type ScoreFigures } from './score-figures.ts';
import { scoresSource } from './source.ts';

/** @throws ServiceError 503 before scores are imported */
export async function publicDataStudy(db: Queryable): Promise<Complete<typeof PublicDataStudy>> {
  const slugs = VERTICALS.map(({ slug }) => slug);
  const [source, figuresOf, population] = await Promise.all([
    scoresSource(db),
    scoreFigures(db, slugs),
    metroPopulation(db),
  ]);
  return {
    verticals: VERTICALS.map(({ slug, label }) => ({
      verticalSlug: slug,
      verticalLabel: label,
      ...figuresOf(slug, null),
    })),
    metros: launchedMetros().map(({ slug: metroSlug, label, fullName }) => ({
      metroSlug,
      metroLabel: label,
      metroFullName: fullName,
      populationTotal: population.get(metroSlug)?.population ?? null,
      householdsTotal: population.get(metroSlug)?.households ?? null,
      verticals: slugs.map((slug) => ({ verticalSlug: slug, ...figuresOf(slug, metroSlug) })),
    })),
    ...source,
  };
}

async function metroPopulation(db: Queryable) {
  const rows = await db.query<{
    metro: string;
    population: number | null;
    households: number | null;
  }>(
    `select metro_slug as metro, sum(population_total) as population,
       sum(households_total) as households
     from zips
     join metro_counties using (county_fips)
     join zip_demographics using (zip)
     group by metro_slug`,
  );
  return new Map(rows.map((row) => [row.metro, row]));
}

/** Columns of the CSV file, with their descriptions. */
export const DATA_STUDY_COLUMNS = {
  metroSlug: 'slug of the launched metro',
  metroLabel: 'short name of the metro',
  verticalSlug: 'slug of the vertical',
  verticalLabel: 'name of the vertical',
  zipCount: 'number of ZIP codes in the metro, with or without a score',
  scoredZipCount: 'number of those with a score in the vertical',
  averageScore: 'mean of the scores, to one decimal; empty without scores',
  medianScore: 'median of the scores; empty without scores',
  highDemandZipCount: 'number of ZIP codes with a score of 80 or more',
  vintage: 'source and year of the scores',
  updatedAt: 'time of the last computation of scores (ISO 8601)',
} as const;

/** Returns the study as CSV, with one row per metro and vertical. */
export function dataStudyCsv({
  verticals,
  metros,
  vintage,
  updatedAt,
}: Complete<typeof PublicDataStudy>): string {
  const labels = new Map(verticals.map((v) => [v.verticalSlug, v.verticalLabel]));
  const columns = Object.keys(DATA_STUDY_COLUMNS) as (keyof typeof DATA_STUDY_COLUMNS)[];
  const rows = metros.flatMap(({ metroSlug, metroLabel, verticals: figures }) =>
    figures.map((f): Record<(typeof columns)[number], CsvValue> => ({
      metroSlug,
      metroLabel,
      vintage,
      updatedAt,
      verticalLabel: labels.get(f.verticalSlug) ?? null,
      ...(f as ScoreFigures & { verticalSlug: string }),
    })),
  );
  return csvText(columns, rows);
}
