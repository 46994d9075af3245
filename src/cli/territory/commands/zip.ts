/** `territory zip`: what the public may know of a ZIP; with a key, everything that is known. */
import { Option } from 'commander';
import { PublicZipProfile, PublicZipVerticalScore } from '../../../contract/resources.ts';
import { count, scoreBar } from '../../figures.ts';
import type { Paper } from '../../paper.ts';
import { table } from '../../table.ts';
import { path } from '../call.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';
import { sourceText } from '../source-text.ts';
import { toolCall } from '../tool-call.ts';
import { demographicsText, type Demographics } from '../zip-demographics.ts';
import { fullProfileText } from '../zip-full.ts';

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
  options: [
    new Option('--vertical <vertical>', 'its score in this one only'),
    new Option('--full', 'with a key: any ZIP, its neighbours, who holds it').conflicts('vertical'),
  ],
  examples: ['zip 75201', 'zip 75201 --vertical roofing', 'zip 59001 --full', 'zip 75201 --json'],
  call: ([zip], { vertical, full }) => {
    if (full) return toolCall('service_get_zip_profile', { zip }, fullProfileText);
    return vertical === undefined
      ? jsonCall(path`/public/zip/${zip!}`, profileText)
      : jsonCall(path`/public/zip/${zip!}/vertical/${vertical as string}`, scoreText);
  },
};

function title(
  { zipCode, city, state }: Pick<Demographics, 'zipCode' | 'city' | 'state'>,
  metroSlug: string | null | undefined,
  paper: Paper,
): string {
  const place = city ? `  ${city}${state ? `, ${state}` : ''}` : '';
  const metro = metroSlug ? paper.paint('dim', `  (metro ${metroSlug})`) : '';
  return paper.paint('bold', `${zipCode}${place}`) + metro;
}
