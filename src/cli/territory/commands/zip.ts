/** `territory zip`: what the public may know of a ZIP. */
import { Option } from 'commander';
import type { z } from 'zod';
import {
  PublicZipProfile,
  PublicZipVerticalScore,
  type ZipDemographics,
} from '../../../contract/resources.ts';
import { count, dollars, oneDecimal, percent, scoreBar, year } from '../../figures.ts';
import type { Paper } from '../../paper.ts';
import { table } from '../../table.ts';
import { path } from '../call.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';
import { sourceText } from '../source-text.ts';

/** What they reach, the census only bounds: B19013 and B25077. */
const TOP_INCOME = 250_000;
const TOP_HOME_VALUE = 2_000_000;

const profileText = reading(PublicZipProfile, (profile, paper) =>
  paragraphs(
    title(profile.demographics, profile.metroSlug, paper),
    table(
      paper,
      [
        { heading: 'Demand for', cell: (v) => v.verticalLabel ?? v.verticalSlug },
        { heading: 'Score', cell: (v) => count(v.score), right: true },
        { heading: '', cell: (v) => scoreBar(paper, v.score) },
      ],
      profile.scores.toSorted((a, b) => b.score - a.score),
    ),
    demographicsText(profile.demographics, paper),
    sourceText({ ...profile, census: profile.demographics.sourceVintage }, paper),
  ),
);

const scoreText = reading(PublicZipVerticalScore, (answer, paper) =>
  paragraphs(
    title(answer.demographics ?? { zipCode: answer.zipCode }, answer.metroSlug, paper),
    `  Demand for ${answer.verticalSlug}  ${paper.paint('bold', count(answer.score))}  ` +
      (answer.score === null ? 'too little is known of the ZIP' : scoreBar(paper, answer.score)),
    answer.demographics ? demographicsText(answer.demographics, paper) : '',
    sourceText({ ...answer, census: answer.demographics?.sourceVintage }, paper),
  ),
);

export const zip: Command = {
  usage: 'zip <zip>',
  summary: 'scores and census figures of a ZIP',
  options: [new Option('--vertical <vertical>', 'its score in this one only')],
  examples: ['zip 75201', 'zip 75201 --vertical roofing', 'zip 75201 --json'],
  call: ([zip], { vertical }) =>
    vertical === undefined
      ? jsonCall(path`/public/zip/${zip!}`, profileText)
      : jsonCall(path`/public/zip/${zip!}/vertical/${vertical as string}`, scoreText),
};

type Demographics = z.output<typeof ZipDemographics>;

function title(
  { zipCode, city, state }: Demographics,
  metroSlug: string | null | undefined,
  paper: Paper,
): string {
  const place = city ? `  ${city}${state ? `, ${state}` : ''}` : '';
  const metro = metroSlug ? paper.paint('dim', `  (metro ${metroSlug})`) : '';
  return paper.paint('bold', `${zipCode}${place}`) + metro;
}

function demographicsText(zip: Demographics, paper: Paper): string {
  const rows = [
    ['Population', count(zip.populationTotal)],
    ['Households', count(zip.householdsTotal)],
    ['Owner households', count(zip.ownerOccupiedHouseholds)],
    ['Owner share', percent(zip.ownerOccupiedPct)],
    ['Median household income', dollars(zip.medianHouseholdIncome, TOP_INCOME)],
    ['Median home value', dollars(zip.medianHomeValue, TOP_HOME_VALUE)],
    ['Detached homes', percent(zip.singleFamilyDetachedPct)],
    ['Median age', oneDecimal(zip.medianAge)],
    ['Median year built', year(zip.medianYearBuilt)],
    ['Built before 1980', percent(zip.homeAgePre1980Pct)],
    ['Built 1980 to 1999', percent(zip.homeAge19801999Pct)],
    ['Built since 2000', percent(zip.homeAge2000PlusPct)],
  ] as const;
  return table(
    paper,
    [
      { heading: 'Census figure', cell: ([name]) => name },
      { heading: 'Value', cell: ([, value]) => value, right: true },
    ],
    rows,
  );
}
