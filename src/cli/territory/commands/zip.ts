import { Option } from 'commander';
import { scoreBar } from '../../bars.ts';
import { formatCount } from '../../../text/words.ts';
import type { Layout } from '../../layout.ts';
import { formatTable, wrapText } from '../../table.ts';
import { path } from '../call.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';
import { formatDemographics, type Demographics } from '../format-demographics.ts';
import { formatFullProfile } from '../format-full-profile.ts';
import { formatSource } from '../format-source.ts';
import { NO_BOUNDARY, verticalName } from '../../names.ts';
import { toolCall } from '../tool-call.ts';

const formatProfile = formatter(
  async () => (await import('../../../contract/resources.ts')).PublicZipProfile,
  (profile, layout) =>
    paragraphs(
      formatTitle(profile.demographics, profile.metroLabel, layout),
      formatTable(
        layout,
        [
          { heading: 'Demand', cell: (v) => v.verticalLabel ?? v.verticalSlug },
          { heading: 'Score', cell: (v) => formatCount(v.score), right: true },
          { heading: '', cell: (v) => scoreBar(layout, v.score) },
        ],
        profile.scores.toSorted((a, b) => b.score - a.score),
      ),
      formatDemographics(profile.demographics, layout),
      profile.hasBoundary === false ? wrapText(NO_BOUNDARY, layout.width).join('\n') : '',
      formatSource({ ...profile, census: profile.demographics.sourceVintage }, layout),
    ),
);

const formatScore = formatter(
  async () => (await import('../../../contract/resources.ts')).PublicZipVerticalScore,
  (answer, layout) =>
    paragraphs(
      formatTitle(answer.demographics ?? { zipCode: answer.zipCode }, answer.metroLabel, layout),
      `  ${verticalName(answer.verticalSlug)} demand  ` +
        `${layout.paint('bold', formatCount(answer.score))}  ` +
        (answer.score === null
          ? 'not enough data to score this ZIP code'
          : scoreBar(layout, answer.score)),
      answer.demographics ? formatDemographics(answer.demographics, layout) : '',
      answer.hasBoundary === false ? wrapText(NO_BOUNDARY, layout.width).join('\n') : '',
      formatSource({ ...answer, census: answer.demographics?.sourceVintage }, layout),
    ),
);

export const zip: Command = {
  usage: 'zip <zip>',
  summary: 'show scores and census figures of a ZIP code',
  options: [
    new Option(
      '--vertical <vertical>',
      'only the score for this vertical; with --full, its reasons',
    ),
    new Option('--full', 'any ZIP code, with neighbors and holders; needs a key'),
  ],
  examples: [
    'zip 75201',
    'zip 75201 --vertical roofing',
    'zip 59001 --full',
    'zip 75201 --full --vertical hvac',
    'zip 75201 --json',
  ],
  call: ([zip], { vertical, full }) => {
    if (full) return toolCall('service_get_zip_profile', { zip, vertical }, formatFullProfile);
    return vertical === undefined
      ? jsonCall(path`/public/zip/${zip!}`, formatProfile)
      : jsonCall(path`/public/zip/${zip!}/vertical/${vertical as string}`, formatScore);
  },
};

function formatTitle(
  { zipCode, city, state }: Pick<Demographics, 'zipCode' | 'city' | 'state'>,
  metroLabel: string | null | undefined,
  layout: Layout,
): string {
  const place = city ? `  ${city}${state ? `, ${state}` : ''}` : '';
  const metro = metroLabel ? layout.paint('dim', `  (${metroLabel} metro)`) : '';
  return layout.paint('bold', `${zipCode}${place}`) + metro;
}
