/** The public layer: operations that need no credential. */
import { type Operation, operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { AnswerCaches, CachedAnswers } from '../answers/answer-caches.ts';
import { publicAnswers, PUBLIC } from './answers.ts';
import { z } from 'zod';
import { jsonText } from '../../../base/contract/prepared.ts';
import {
  PublicVerticalSummary,
  PublicBestZips,
  PublicMetroVertical,
  PublicDataStudy,
} from '../../../base/contract/vertical-resources.ts';
import { publicVerticalSummary } from '../../../data/market/public/vertical.ts';
import {
  NO_VERTICAL_EXAMPLE,
  verticalParam,
  metroParam,
  NO_METRO_EXAMPLE,
  NO_ZIP_EXAMPLE,
  zipParam,
} from './params.ts';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { packPicture } from '../../../maps/cartography/counted-picture.ts';
import { PUBLIC_DATASETS } from '../../../data/market/public/source.ts';
import { metroPicture } from '../../../territories/static/draw.ts';
import { pictureOptions, scorePictureQuery } from '../requests/picture-query.ts';
import { packedPictures } from '../answers/picture-answers.ts';
import {
  PublicZipProfile,
  PublicZipVerticalScore,
  exampleOf,
  type Complete,
} from '../../../base/contract/resources.ts';
import { publicZipProfile, publicZipVerticalScore } from '../../../data/market/public/zip.ts';
import { publicMetroVertical } from '../../../data/market/public/metro-vertical.ts';
import { PUBLIC_TABLE_ROWS, publicBestZips } from '../../../data/market/public/ranking.ts';
import {
  DATA_STUDY_COLUMNS,
  dataStudyCsv,
  publicDataStudy,
} from '../../../data/market/public/data-study.ts';

export function publicOperations(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
): Operation[] {
  const answer = publicAnswers(db, caches, { name: 'public data' });
  return [
    ...zipOperations(answer),
    verticalOperation(answer),
    ...metroVerticalOperations(answer),
    mapImageOperation(db, renderer, caches),
    ...dataStudyOperations(db, caches, answer),
  ];
}

/** A vertical: the signals of its score, and where its demand is. */
function verticalOperation(answer: CachedAnswers): Operation {
  return operation({
    ...PUBLIC,
    id: 'getPublicVertical',
    path: '/public/vertical/{vertical}',
    summary: 'Get a vertical',
    description:
      'Returns the signals in the vertical’s score with their weights and reasons, its average score ' +
      'in every launched metro, and a sample of the ten best ZIP codes in the launched metros.',
    params: z.object({ vertical: verticalParam }),
    answers: { 200: { description: 'The summary', cached: true, schema: PublicVerticalSummary } },
    errorExamples: { 404: NO_VERTICAL_EXAMPLE },
    handle: ({ params: { vertical } }) =>
      answer(`vertical ${vertical}`, async (db) =>
        jsonText(PublicVerticalSummary, await publicVerticalSummary(db, vertical)),
      ),
  });
}

/** Embeddable pictures of demand. */
const PNG = 'image/png';

function mapImageOperation(db: Database, renderer: MapRenderer, caches: AnswerCaches): Operation {
  const data = renderer.data(db, [...PUBLIC_DATASETS, ...BASEMAP_LAYERS]);
  const answer = caches.answers({ name: 'public pictures', ...packedPictures(PNG), data });
  return operation({
    ...PUBLIC,
    id: 'getPublicMapImage',
    path: '/public/metro/{metroSlug}/vertical/{vertical}/map.png',
    summary: 'Get a map of a vertical in a metro',
    description:
      'Returns a picture of a launched metro with its ZIP codes colored by score class, a title, a ' +
      'legend, and the sources. Pictures are cached. For other views and options, see `getStaticMap`.',
    limit: 'map-image',
    params: z.object({ metroSlug: metroParam(), vertical: verticalParam }),
    query: scorePictureQuery,
    answers: { 200: { description: 'The picture', cached: true, countsZips: true, type: PNG } },
    errorExamples: { 404: NO_METRO_EXAMPLE },
    // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
    handle: async ({ params: { metroSlug, vertical }, query }) => {
      const look = { ...pictureOptions(query), classes: query.classes };
      return answer(JSON.stringify([metroSlug, vertical, look]), async (db) =>
        packPicture(await metroPicture(metroSlug, vertical).draw(db, renderer, look)),
      );
    },
  });
}

/** Public data about a ZIP code. */
function zipOperations(answer: CachedAnswers): Operation[] {
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicZipProfile',
      path: '/public/zip/{zip}',
      summary: 'Get the profile of a ZIP code',
      description:
        'Returns the census figures of a ZIP code in a launched metro and its demand score in every ' +
        'vertical. ZIP codes outside the launched metros return 404.',
      params: z.object({ zip: zipParam }),
      answers: { 200: { description: 'The profile', cached: true, schema: PublicZipProfile } },
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip } }) =>
        answer(`zip ${zip}`, async (db) =>
          jsonText(PublicZipProfile, await publicZipProfile(db, zip)),
        ),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicZipVertical',
      path: '/public/zip/{zip}/vertical/{vertical}',
      summary: 'Get the score of a ZIP code in a vertical',
      description:
        'Returns the demand score of a ZIP code in a launched metro in one vertical, with its census ' +
        'figures. The score is null if there isn’t enough data. ZIP codes outside the launched metros ' +
        'return 404.',
      params: z.object({ zip: zipParam, vertical: verticalParam }),
      answers: { 200: { description: 'The score', cached: true, schema: PublicZipVerticalScore } },
      errorExamples: { 404: NO_ZIP_EXAMPLE },
      handle: ({ params: { zip, vertical } }) =>
        answer(`zip ${zip} ${vertical}`, async (db) =>
          jsonText(PublicZipVerticalScore, await publicZipVerticalScore(db, zip, vertical)),
        ),
    }),
  ];
}

/** Demand for a vertical in a metro: statistics and the best ZIP codes. */
function metroVerticalOperations(answer: CachedAnswers): Operation[] {
  const params = z.object({ metroSlug: metroParam(), vertical: verticalParam });
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicMetroVertical',
      path: '/public/metro/{metroSlug}/vertical/{vertical}',
      summary: 'Get demand for a vertical in a metro',
      description:
        'Returns the number of ZIP codes in a launched metro, their average score in the vertical, the ' +
        `score distribution in ten bins, and a sample of the best ${PUBLIC_TABLE_ROWS} ZIP codes.`,
      params,
      answers: {
        200: { description: 'The statistics', cached: true, schema: PublicMetroVertical },
      },
      errorExamples: { 404: NO_METRO_EXAMPLE },
      handle: ({ params: { metroSlug, vertical } }) =>
        answer(`metro ${metroSlug} ${vertical}`, async (db) =>
          jsonText(PublicMetroVertical, await publicMetroVertical(db, metroSlug, vertical)),
        ),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicBestZips',
      path: '/public/metro/{metroSlug}/vertical/{vertical}/best-zips',
      summary: 'Get the best ZIP codes of a metro for a vertical',
      description:
        `Returns the ${PUBLIC_TABLE_ROWS} best ZIP codes of a launched metro, best first. \`sampled\` ` +
        'is true if the metro has more. Full rankings require an API key.',
      params,
      answers: { 200: { description: 'The ranking', cached: true, schema: PublicBestZips } },
      errorExamples: { 404: NO_METRO_EXAMPLE },
      handle: ({ params: { metroSlug, vertical } }) =>
        answer(`best ${metroSlug} ${vertical}`, async (db) =>
          jsonText(PublicBestZips, await publicBestZips(db, metroSlug, vertical)),
        ),
    }),
  ];
}

/** The data study as JSON and CSV. */
const CSV_TYPE = 'text/csv; charset=utf-8';
const CSV_EXAMPLE = dataStudyCsv(exampleOf(PublicDataStudy) as Complete<typeof PublicDataStudy>);

function dataStudyOperations(
  db: Database,
  caches: AnswerCaches,
  answer: CachedAnswers,
): Operation[] {
  const csvAnswer = publicAnswers(db, caches, { name: 'data study CSV', type: CSV_TYPE });
  const columns = Object.entries(DATA_STUDY_COLUMNS).map(
    ([name, meaning]) => `- \`${name}\`: ${meaning}`,
  );
  return [
    operation({
      ...PUBLIC,
      id: 'getPublicDataStudy',
      path: '/public/data-study',
      summary: 'Get the data study',
      description:
        'Returns score statistics for every vertical, across all launched metros and in each of them. ' +
        '`/public/data-study.csv` returns the same as CSV.',
      answers: { 200: { description: 'The study', cached: true, schema: PublicDataStudy } },
      errors: [503],
      handle: () =>
        answer('study', async (db) => jsonText(PublicDataStudy, await publicDataStudy(db))),
    }),
    operation({
      ...PUBLIC,
      id: 'getPublicDataStudyCsv',
      path: '/public/data-study.csv',
      summary: 'Get the data study as CSV',
      description:
        'Returns CSV (RFC 4180, UTF-8) with a header line and one line per launched metro and vertical. ' +
        `Columns:\n\n${columns.join('\n')}\n\n` +
        'Text that a spreadsheet would read as a formula starts with an apostrophe.',
      answers: {
        200: { description: 'The study', cached: true, type: CSV_TYPE, example: CSV_EXAMPLE },
      },
      errors: [503],
      handle: () => csvAnswer('study', async (db) => dataStudyCsv(await publicDataStudy(db))),
    }),
  ];
}
