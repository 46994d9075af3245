/**
 * oEmbed 1.0: editors such as WordPress and Notion replace the link of a shared map with the map itself.
 */
import { z } from 'zod';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { jsonText, PreparedAnswer } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import { notFound } from '../../../errors.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import { NO_SUCH_SHARE, openShare } from '../../../territories/share/open-share.ts';
import { shareHeading } from '../../../territories/share/picture.ts';
import { EXAMPLE_TOKEN, sharePagePath } from '../../../territories/share/token.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { REVALIDATE, SHARED } from './answers.ts';

const SIZE = { width: 800, height: 500 } as const;
/** A smaller embedded page has no room for its parts. */
const MIN_PX = 240;
const MAX_PX = 10_000;
const THUMBNAIL = { width: 600, height: 315 } as const;
/** Editors ask again after this time, so a revoked or expired link closes there too. */
const CACHE_SECONDS = 3600;

const OEmbed = z
  .object({
    version: z.literal('1.0'),
    type: z.literal('rich'),
    title: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    cache_age: z.int(),
    html: z.string().meta({ description: 'An iframe with the map' }),
    width: z.int(),
    height: z.int(),
    thumbnail_url: z.string(),
    thumbnail_width: z.int(),
    thumbnail_height: z.int(),
  })
  .meta({ id: 'OEmbed', description: 'oEmbed 1.0' });

const limit = wholeNumber(MIN_PX, MAX_PX);

export function oEmbedOperation(db: Database, roots: () => Roots): Operation {
  return operation({
    ...SHARED,
    id: 'getOEmbed',
    path: '/oembed',
    summary: 'Get the embed code of a shared map',
    description:
      'Returns an iframe for the address of a shared map, as oEmbed 1.0. Editors find this address in ' +
      'the page itself.',
    // Editors add their own parameters.
    query: z.object({
      url: z
        .string({ error: 'must be the address of a shared map' })
        .meta({
          description: 'Address of a shared map',
          example: `https://territory.example.com${sharePagePath(EXAMPLE_TOKEN)}`,
        }),
      format: z.literal('json', { error: 'must be json' }).default('json'),
      maxwidth: limit
        .optional()
        .meta({ description: 'Largest width, in CSS pixels', example: 640 }),
      maxheight: limit
        .optional()
        .meta({ description: 'Largest height, in CSS pixels', example: 400 }),
    }),
    answers: {
      200: {
        description: 'The embed code',
        cached: true,
        schema: OEmbed,
        example: embedOf(EXAMPLE_ROOTS, EXAMPLE_TOKEN, 'Where we roof', {
          width: 640,
          height: 400,
        }),
      },
    },
    async handle({ query: { url, maxwidth = SIZE.width, maxheight = SIZE.height } }) {
      const token = tokenIn(url, roots());
      const share = await openShare(db, token);
      const size = {
        width: Math.min(SIZE.width, maxwidth),
        height: Math.min(SIZE.height, maxheight),
      };
      const embed = embedOf(roots(), token, shareHeading(share).title, size);
      return {
        status: 200,
        headers: REVALIDATE,
        body: new PreparedAnswer(jsonText(OEmbed, embed)),
      };
    },
  });
}

const EXAMPLE_ROOTS: Roots = {
  api: 'https://territory.example.com',
  site: 'https://territory.example.com',
};

/** @throws ServiceError 404 for any other address, as oEmbed requires */
function tokenIn(url: string, { site }: Roots): string {
  const path = url.startsWith(`${site}/s/`) ? url.slice(`${site}/s/`.length) : '';
  const token = /^([\w-]+)\/?(?:[?#].*)?$/.exec(path)?.[1];
  if (token !== undefined) return token;
  throw notFound(NO_SUCH_SHARE);
}

function embedOf(
  { api, site }: Roots,
  token: string,
  title: string,
  { width, height }: { width: number; height: number },
): z.output<typeof OEmbed> {
  const page = site + sharePagePath(token);
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: SERVICE_NAME,
    provider_url: site,
    cache_age: CACHE_SECONDS,
    html: `<iframe src="${escapeHtml(`${page}?embed=1`)}" width="${width}" height="${height}" title="${escapeHtml(title)}" style="border:0;max-width:100%" loading="lazy" allowfullscreen></iframe>`,
    width,
    height,
    thumbnail_url: `${api}/shared/${encodeURIComponent(token)}/map.png?size=${THUMBNAIL.width}x${THUMBNAIL.height}`,
    thumbnail_width: THUMBNAIL.width,
    thumbnail_height: THUMBNAIL.height,
  };
}
