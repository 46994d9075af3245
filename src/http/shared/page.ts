/** The page of a shared map: for people, at the site's root. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { PreparedAnswer } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { boundariesStamp } from '../../market/zips.ts';
import { listingOf } from '../../share/listing.ts';
import { Links } from '../../site/links.ts';
import { HTML } from '../../site/page.ts';
import { closedMapPage, sharedMapPage } from '../../site/pages/shared-map.ts';
import type { Fields } from '../fields.ts';
import { ASK_EACH_TIME, SHARED, sharedAnswers, tokenParam } from './answers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

/** Of whatever else an address was given on its way, nothing matters. */
const isEmbedded = (embed: unknown) => embed === '1';

export function sharedPageOperation(db: Database, roots: () => Roots): Operation {
  const stamp = () => boundariesStamp(db);
  const answer = sharedAnswers(db, { maxBytes: CACHE_BYTES, type: HTML, stamp });
  return operation({
    id: 'page /s/{token}',
    method: 'get',
    path: '/s/{token}',
    tag: 'Site',
    summary: 'A shared map',
    description: 'A shared map, for people',
    auth: 'none',
    // Of all that a token opens: as much as anything else here, a page tells whether one is right.
    limit: SHARED.limit,
    params: z.object({ token: tokenParam }),
    query: z.object({ embed: z.unknown().optional().transform(isEmbedded) }),
    answers: {
      200: { description: 'The page', type: HTML, cached: true },
      404: { description: 'A page that says that there is none', type: HTML, cached: true },
    },
    errors: [503],
    handle: async ({ params: { token }, query: { embed } }) => {
      const links = new Links(roots());
      try {
        return await answer(
          token,
          ({ meta }) => [token, embed, meta],
          async ({ share: { meta }, zips }) =>
            sharedMapPage(
              { token, meta, listing: await listingOf(db, zips), embedded: embed },
              links,
            ),
        );
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 404) throw error;
        const page = closedMapPage(error.message, embed, links);
        return { status: 404, headers: ASK_EACH_TIME, body: new PreparedAnswer(page, HTML) };
      }
    },
  });
}

/**
 * What browsers obey on this page: stricter than elsewhere, since MapLibre GL's worker is a file of
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
