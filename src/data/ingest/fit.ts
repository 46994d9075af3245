/**
 * Checks whether boundaries, figures, counties, and metros fit together, and recommends imports if they
 * don't.
 */
import type { Queryable } from '../../base/db/database.ts';
import { readDatasets, type Dataset } from '../../base/db/datasets.ts';
import { formatCount, joinFirst, pluralize } from '../../base/text/words.ts';

/** ZIP codes with missing data */
interface Gap {
  count: number;
  /** Their residents; null if unknown */
  people: number | null;
  /** Those with the most residents, in descending order */
  examples: { zip: string; people: number | null }[];
}

interface Fit {
  /** ZIP codes with a boundary */
  mapped: number;
  /** ZIP codes with figures */
  measured: number;
  withoutBoundary: Gap;
  withoutFigures: Gap;
  withoutCounty: Gap;
  /** Launched metros with ZIP codes that have no boundary, those with the most such ZIP codes first */
  metros: { label: string; count: number }[];
  /** Labels of launched metros whose counties contain no ZIP code */
  emptyMetros: string[];
}

const MAX_EXAMPLES = 5;

const gap = (zips: string) => `(
  select json_build_object('count', count(*), 'people', sum(people),
    'examples', coalesce(json_agg(json_build_object('zip', zip, 'people', people))
      filter (where place <= ${MAX_EXAMPLES}), '[]'))
  from (select zip, people, row_number() over (order by people desc nulls last, zip) as place
        from (${zips}) listed order by place) placed)`;

/** Reads the fit of live or staged tables. @param zips a table like `zips` @param figures one like `zip_demographics` */
export async function readFit(
  db: Queryable,
  { zips = 'zips', figures = 'zip_demographics' } = {},
): Promise<Fit> {
  const [fit] = await db.query<Fit & Record<string, unknown>>(
    `select (select count(bbox) from ${zips}) as mapped, (select count(*) from ${figures}) as measured,
       ${gap(`select zip, population_total as people from ${figures} f where not exists
         (select from ${zips} z where z.zip = f.zip and bbox is not null)`)} as "withoutBoundary",
       ${gap(`select zip, null::int as people from ${zips} z where not exists
         (select from ${figures} f where f.zip = z.zip)`)} as "withoutFigures",
       ${gap(`select zip, population_total as people from ${zips} left join ${figures} using (zip)
         where county_fips is null`)} as "withoutCounty",
       coalesce((select json_agg(one) from (
         select label, count(*) as count from ${zips}
         join metro_counties using (county_fips) join metros on slug = metro_slug
         where bbox is null group by label order by count(*) desc, label) one), '[]') as metros,
       coalesce((select array_agg(label order by label) from metros m where not exists (
         select from metro_counties c join ${zips} z using (county_fips)
         where c.metro_slug = m.slug)), '{}') as "emptyMetros"`,
  );
  return fit!;
}

interface FitProblem {
  /** Description of the problem, as sentences */
  detail: string;
  /** Remedy, as a sentence */
  fix: string;
}

/** Files of the same vintage have a few unpopulated areas without figures: 17 of 33,791 in 2021. */
const TOLERATED_WITHOUT_FIGURES = 0.002;
/**
 * The ZCTAs of 2010 and 2020 differ in 3% of their codes. A larger share means that the files cover
 * different places.
 */
const MAX_VINTAGE_SHARE = 0.05;

type Vintages = Record<'boundaries' | 'demographics', Pick<Dataset, 'vintage'>>;

export function fitProblems(fit: Fit, { boundaries, demographics }: Vintages): FitProblem[] {
  const { mapped, measured, withoutBoundary, withoutFigures, withoutCounty, emptyMetros } = fit;
  const wanted = zctasOfFigures(demographics.vintage);
  const present = zctasOfBoundaries(boundaries.vintage);
  const isLate = wanted !== undefined && present !== undefined && wanted !== present;
  const problems: FitProblem[] = [];
  if (withoutBoundary.count > 0) {
    const inMetros = fit.metros.map(({ label, count }) => `${label} ${count}`);
    problems.push({
      detail:
        `${subject(withoutBoundary)} figures but no boundary: ${listExamples(withoutBoundary)}. They belong to ` +
        'metros through their counties, and brands can hold them, but maps can’t draw them.' +
        (inMetros.length > 0 ? ` In launched metros: ${joinFirst(inMetros, 6)}.` : ''),
      fix: isLate
        ? `The figures (${demographics.vintage}) use the ZCTAs of ${wanted}, but the boundaries are those of ` +
          `${present}. Import the boundaries of ${wanted}, such as ${ZCTA_FILES[wanted] ?? 'those of the Census Bureau'}, ` +
          'with territory-admin import zcta.'
        : withoutBoundary.count > MAX_VINTAGE_SHARE * measured
          ? 'Import the boundaries of the whole country.'
          : `Import boundaries of the same year as the figures (${demographics.vintage}).`,
    });
  }
  if (withoutFigures.count > TOLERATED_WITHOUT_FIGURES * mapped) {
    problems.push({
      detail: `${subject(withoutFigures)} a boundary but no figures, so no scores: ${listExamples(withoutFigures)}.`,
      fix:
        withoutFigures.count > MAX_VINTAGE_SHARE * mapped
          ? 'Import the figures of the whole country with territory-admin import acs.'
          : isLate
            ? `The ZIP codes without figures are ZCTAs of ${present} only: those of ${wanted} don’t include them.`
            : `Import figures of the same year as the boundaries (${boundaries.vintage}).`,
    });
  }
  if (withoutCounty.count > 0) {
    problems.push({
      detail: `${subject(withoutCounty)} no county, so no metro: ${listExamples(withoutCounty)}.`,
      fix: 'Import counties of the whole country with territory-admin import basemap.',
    });
  }
  if (emptyMetros.length > 0) {
    problems.push({
      detail: `${pluralize(emptyMetros.length, 'launched metro')} without ZIP codes: ${emptyMetros.join('; ')}.`,
      fix: 'Import boundaries of the whole country, and its counties of 2022 or later.',
    });
  }
  return problems;
}

/** Files of the Census Bureau with the ZCTAs of each census */
const ZCTA_FILES: Readonly<Record<string, string>> = {
  2010: 'cb_2019_us_zcta510_500k.zip or tl_2019_us_zcta510.zip',
  2020: 'cb_2020_us_zcta520_500k.zip or tl_2023_us_zcta520.zip',
};

/** Returns the census whose ZCTAs the boundaries are. */
export const zctasOfBoundaries = (vintage: string): string | undefined =>
  /Census (\d{4}) ZCTAs/.exec(vintage)?.[1];

/**
 * Returns the census whose ZCTAs the figures use: the latest census. The ACS of 2020 was the first with the
 * ZCTAs of 2020.
 */
function zctasOfFigures(vintage: string): string | undefined {
  const years = [...vintage.matchAll(/\d{4}-(\d{4})/g)].map(([, last]) => Number(last));
  const census = new Set(years.map((year) => String(Math.floor(year / 10) * 10)));
  return census.size === 1 ? [...census][0] : undefined;
}

const subject = ({ count }: Gap) =>
  `${pluralize(count, 'ZIP code')} ${count === 1 ? 'has' : 'have'}`;

const listExamples = ({ count, people, examples }: Gap) => {
  const shown = examples.map((one) =>
    one.people === null ? one.zip : `${one.zip} (${pluralize(one.people, 'resident')})`,
  );
  const more = count > shown.length ? `, and ${formatCount(count - shown.length)} more` : '';
  const all = people === null || count === 1 ? '' : `; ${pluralize(people, 'resident')} together`;
  return shown.join(', ') + more + all;
};

/** Notes for the report of an import. Empty until both boundaries and figures are imported. */
export async function fitNotes(
  db: Queryable,
  imported: Partial<Vintages> = {},
  tables?: { zips?: string; figures?: string },
): Promise<string[]> {
  const present = await readDatasets(db);
  const [boundaries, demographics] = (['boundaries', 'demographics'] as const).map(
    (name) => imported[name] ?? present.get(name),
  );
  if (!boundaries || !demographics) return [];
  const sample = (['boundaries', 'demographics'] as const).find(
    (name) => !imported[name] && present.get(name)?.synthetic,
  );
  if (sample) {
    const [what, command] = OTHERS[sample];
    return [
      `The ${what} are still sample data. Import real ones: territory-admin import ${command}`,
    ];
  }
  const problems = fitProblems(await readFit(db, tables), { boundaries, demographics });
  return problems.map(({ detail, fix }) => `${detail} ${fix}`);
}

const OTHERS = {
  boundaries: ['boundaries', 'zcta FILE'],
  demographics: ['figures', 'acs FILE'],
} as const;
