/** The page of a shared map, and the pages of its ZIP codes by state. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Database } from '../../../base/db/database.ts';
import { styleData } from '../../http/basemap/tilesets.ts';
import { listShared, zipsInPart } from '../../../territories/share/listing.ts';
import { AT_ONCE, type AnswerCaches } from '../../http/answers/answer-caches.ts';
import { unlisted } from '../../http/unlisted.ts';
import { lookKey } from '../../../maps/cartography/brand-look.ts';
import { brandMark } from '../brand-mark.ts';
import { LINK_PAGE, linkHeaders, orClosedPage } from '../shared-link.ts';
import { HTML } from '../media-types.ts';
import { closedMapPage, sharedMapPage } from './view.ts';
import { sharedPartPage } from './part-view.ts';
import type { Headers } from '../../http/answers/common-headers.ts';
import { sharedAnswers, tokenParam } from '../../http/shared/answers.ts';

/** All other values of `embed` mean false. */
const isEmbedded = (embed: unknown) => embed === '1';

export function sharedMapRoutes(
  db: Database,
  renderer: MapRenderer,
  roots: () => Roots,
  caches: AnswerCaches,
): Operation[] {
  // Styles also show boundaries.
  const data = { ...styleData(db, renderer), ...AT_ONCE };
  const answer = sharedAnswers(db, caches, { name: 'shared pages', type: HTML, data });
  const wholeMap = operation({
    ...unlisted('get', '/s/{token}'),
    ...LINK_PAGE,
    params: z.object({ token: tokenParam }),
    query: z.object({ embed: z.unknown().optional().transform(isEmbedded) }),
    handle: ({ params: { token }, query: { embed } }) =>
      orClosedPage(
        roots(),
        (links) =>
          answer(
            token,
            ({ share: { meta, brand } }) => [
              token,
              embed,
              meta,
              brand.title,
              brand.subtitle,
              lookKey(brand),
            ],
            async ({ share, zips }, db) => {
              const listing = await listShared(db, zips);
              const styleVersion = await caches.versionOf(db.stamp);
              const mark = await brandMark(share.brand, share.meta.brandName, links);
              const map = { token, share, mark, listing, embedded: embed, styleVersion };
              return sharedMapPage(map, links);
            },
          ),
        (reason, links) => closedMapPage(reason, embed, links),
      ),
  });
  const oneState = operation({
    ...unlisted('get', '/s/{token}/zips/{part}'),
    ...LINK_PAGE,
    params: z.object({ token: tokenParam, part: z.string() }),
    handle: ({ params: { token, part } }) =>
      orClosedPage(
        roots(),
        (links) =>
          answer(
            token,
            ({ share: { meta, brand } }) => [token, part, meta, brand.title, brand.subtitle],
            async ({ share, zips }, db) => {
              const listing = await listShared(db, await zipsInPart(db, zips, part));
              return sharedPartPage({ token, share, listing }, links);
            },
          ),
        (reason, links) => closedMapPage(reason, false, links),
      ),
  });
  return [wholeMap, oneState];
}

/** Only `?embed=1` may be shown in frames of other sites. */
export const sharedMapHeaders = ({ query }: Pick<Context, 'query'>): Headers =>
  linkHeaders({ hasMap: true, hasForm: false, mayFrame: isEmbedded(query['embed']) });
