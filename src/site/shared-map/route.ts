/** The pages of a shared map: for people, at the site's root. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Answer, type Operation } from '../../contract/operation.ts';
import { PreparedAnswer } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { boundariesStamp } from '../../market/zips.ts';
import { listShared, zipsInPart } from '../../share/listing.ts';
import { Links } from '../links.ts';
import { HTML } from '../page.ts';
import { closedMapPage, sharedMapPage } from './view.ts';
import { sharedPartPage } from './part-view.ts';
import type { Fields } from '../../http/answers/header-fields.ts';
import { ASK_EACH_TIME, SHARED, sharedAnswers, tokenParam } from '../../http/shared/answers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

/** Of whatever else an address was given on its way, nothing matters. */
const isEmbedded = (embed: unknown) => embed === '1';

/** The page of the map, and those of its ZIPs by state. */
export function sharedPageOperations(db: Database, roots: () => Roots): Operation[] {
  const stamp = () => boundariesStamp(db);
  const answer = sharedAnswers(db, { maxBytes: CACHE_BYTES, type: HTML, stamp });
  const open = async (
    embed: boolean,
    made: (links: Links) => Promise<Answer<200, PreparedAnswer>>,
  ): Promise<Answer<200 | 404, PreparedAnswer>> => {
    const links = new Links(roots());
    try {
      return await made(links);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      const page = closedMapPage(error.message, embed, links);
      return { status: 404, headers: ASK_EACH_TIME, body: new PreparedAnswer(page, HTML) };
    }
  };
  const whole = operation({
    ...PAGE,
    id: 'page /s/{token}',
    path: '/s/{token}',
    params: z.object({ token: tokenParam }),
    query: z.object({ embed: z.unknown().optional().transform(isEmbedded) }),
    handle: ({ params: { token }, query: { embed } }) =>
      open(embed, (links) =>
        answer(
          token,
          ({ meta }) => [token, embed, meta],
          async ({ share: { meta }, zips }) =>
            sharedMapPage(
              { token, meta, listing: await listShared(db, zips), embedded: embed },
              links,
            ),
        ),
      ),
  });
  const part = operation({
    ...PAGE,
    id: 'page /s/{token}/zips/{part}',
    path: '/s/{token}/zips/{part}',
    params: z.object({ token: tokenParam, part: z.string() }),
    handle: ({ params: { token, part: asked } }) =>
      open(false, (links) =>
        answer(
          token,
          ({ meta }) => [token, asked, meta],
          async ({ share: { meta }, zips }) => {
            const listing = await listShared(db, await zipsInPart(db, zips, asked));
            return sharedPartPage({ token, meta, listing }, links);
          },
        ),
      ),
  });
  return [whole, part];
}

const PAGE = {
  method: 'get',
  tag: 'Site',
  summary: 'A shared map',
  description: 'A shared map, for people',
  auth: 'none',
  // Of all that a token opens: as much as anything else here, a page tells whether one is right.
  limit: SHARED.limit,
  answers: {
    200: { description: 'The page', type: HTML, cached: true },
    404: { description: 'A page that says that there is none', type: HTML, cached: true },
  },
  errors: [503],
} as const;

/**
 * What browsers obey on these pages: stricter than elsewhere, since MapLibre GL's worker is a file of
 * ours. The address opens the map, so no other site is told of it; other sites may show it in a
 * frame where it was made for that.
 */
export function sharedPageFields({ query }: Pick<Context, 'query'>): Fields {
  const ancestors = isEmbedded(query['embed']) ? '*' : "'none'";
  return [
    ...['Content-Security-Policy', [...POLICY, `frame-ancestors ${ancestors}`].join('; ')],
    ...['Referrer-Policy', 'no-referrer'],
  ];
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  // MapLibre GL's style sheet holds the icons of its buttons.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
];
