/** The page of a shared map, and those of its ZIP codes by state. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Roots } from '../../contract/openapi/about.ts';
import { operation, type Answer, type Operation } from '../../contract/operation.ts';
import { PreparedAnswer } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { styleData } from '../../http/basemap/tilesets.ts';
import { listShared, zipsInPart } from '../../share/listing.ts';
import { AT_ONCE, type AnswerCaches } from '../../http/answers/answer-caches.ts';
import { unlisted } from '../../http/unlisted.ts';
import { lookKey } from '../../cartography/brand-look.ts';
import { brandMark } from '../brand-mark.ts';
import { Links } from '../links.ts';
import { HTML } from '../media-types.ts';
import { closedMapPage, sharedMapPage } from './view.ts';
import { sharedPartPage } from './part-view.ts';
import type { Fields } from '../../http/answers/header-fields.ts';
import { REVALIDATE, SHARED, sharedAnswers, tokenParam } from '../../http/shared/answers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

/** Other values of `embed` mean false. */
const isEmbedded = (embed: unknown) => embed === '1';

export function sharedMapRoutes(
  db: Database,
  roots: () => Roots,
  caches: AnswerCaches,
): Operation[] {
  // A style shows boundaries, too.
  const data = { ...styleData(db), ...AT_ONCE };
  const answer = sharedAnswers(db, caches, {
    name: 'shared pages',
    maxBytes: CACHE_BYTES,
    type: HTML,
    data,
  });
  const orClosedPage = async (
    embed: boolean,
    make: (links: Links) => Promise<Answer<200, PreparedAnswer>>,
  ): Promise<Answer<200 | 404, PreparedAnswer>> => {
    const links = new Links(roots());
    try {
      return await make(links);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      const closed = closedMapPage(error.message, embed, links);
      return { status: 404, headers: REVALIDATE, body: new PreparedAnswer(closed, HTML) };
    }
  };
  const wholeMap = operation({
    ...unlisted('get', '/s/{token}'),
    ...CACHED_BY_SHARE,
    params: z.object({ token: tokenParam }),
    query: z.object({ embed: z.unknown().optional().transform(isEmbedded) }),
    handle: ({ params: { token }, query: { embed } }) =>
      orClosedPage(embed, (links) =>
        answer(
          token,
          ({ meta, brand }) => [token, embed, meta, brand.title, brand.subtitle, lookKey(brand)],
          async ({ share, zips }, db) => {
            const listing = await listShared(db, zips);
            const styleVersion = await caches.versionOf(db.stamp);
            const mark = await brandMark(share.brand, share.meta.brandName, links);
            const map = { token, share, mark, listing, embedded: embed, styleVersion };
            return sharedMapPage(map, links);
          },
        ),
      ),
  });
  const oneState = operation({
    ...unlisted('get', '/s/{token}/zips/{part}'),
    ...CACHED_BY_SHARE,
    params: z.object({ token: tokenParam, part: z.string() }),
    handle: ({ params: { token, part } }) =>
      orClosedPage(false, (links) =>
        answer(
          token,
          ({ meta, brand }) => [token, part, meta, brand.title, brand.subtitle],
          async ({ share, zips }, db) => {
            const listing = await listShared(db, await zipsInPart(db, zips, part));
            return sharedPartPage({ token, share, listing }, links);
          },
        ),
      ),
  });
  return [wholeMap, oneState];
}

const CACHED_BY_SHARE = {
  // The same policy as the share's API: a page reveals as much about a token as an operation does.
  limit: SHARED.limit,
  answers: {
    200: { description: 'The page', type: HTML, cached: true },
    404: { description: 'A page that says the map isn’t shared', type: HTML, cached: true },
  },
  errors: [503],
} as const;

/**
 * Headers of these pages. The policy is stricter than on other pages, since MapLibre GL's worker is
 * one of our files. The address is a secret that opens the map, so no other site learns it. Only
 * `?embed=1` may be shown in another site's frame.
 */
export function sharedMapFields({ query }: Pick<Context, 'query'>): Fields {
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
  // MapLibre GL's style sheet contains its buttons' icons.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
];
