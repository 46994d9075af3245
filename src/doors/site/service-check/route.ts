/**
 * The service check of a share link: a page for an iframe on the brand's own site, which tells customers
 * whether the brand serves a ZIP code, and the map of the answer. It needs no script.
 */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { BASEMAP_LAYERS } from '../../../data/basemap/features.ts';
import { lookKey } from '../../../maps/cartography/brand-look.ts';
import type { Database, Queryable } from '../../../base/db/database.ts';
import { notFound } from '../../../errors.ts';
import { AT_ONCE, type AnswerCaches } from '../../http/answers/answer-caches.ts';
import type { Headers } from '../../http/answers/common-headers.ts';
import { pictureOptions, pictureQuery } from '../../http/requests/picture-query.ts';
import { sharedAnswers, tokenParam } from '../../http/shared/answers.ts';
import { unlisted } from '../../http/unlisted.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { drawShare, shareHeading } from '../../../territories/share/picture.ts';
import { extentOfZip, isNearby, servedZip } from '../../../territories/share/served-zip.ts';
import { parseMarkers } from '../../../territories/static/overlay.ts';
import type { SharedZip } from '../../../territories/share/shared-zip.ts';
import { bboxAround, type Bbox } from '../../../base/spatial/bbox.ts';
import { fitBbox } from '../../../base/spatial/camera.ts';
import { brandMark } from '../brand-mark.ts';
import { LINK_PAGE, linkHeaders, orClosedPage } from '../shared-link.ts';
import { HTML } from '../media-types.ts';
import { closedMapPage } from '../shared-map/view.ts';
import { CHECK_PATH, CHECK_PICTURE_PATH, serviceCheckPage, type Check } from './view.ts';

const PNG = 'image/png';

/** A ZIP code as people type it: `75201 `, `75201-1234`. Null if it's missing or repeated */
const zipText = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.trim().slice(0, 20) : null));

export function serviceCheckRoutes(
  db: Database,
  renderer: MapRenderer,
  roots: () => Roots,
  caches: AnswerCaches,
): Operation[] {
  const data = renderer.data(db, ['boundaries', 'demographics', ...BASEMAP_LAYERS]);
  const answer = sharedAnswers(db, caches, {
    name: 'service checks',
    type: HTML,
    data: { ...data, ...AT_ONCE },
  });
  const picture = sharedAnswers(db, caches, { name: 'service check pictures', type: PNG, data });
  const check = operation({
    ...unlisted('get', CHECK_PATH),
    ...LINK_PAGE,
    params: z.object({ token: tokenParam }),
    query: z.object({ zip: zipText }),
    handle: ({ params: { token }, query: { zip: text } }) =>
      orClosedPage(
        roots(),
        (links) =>
          answer(
            token,
            ({ share: { meta, brand } }) => [
              'check',
              token,
              text,
              meta,
              brand.title,
              lookKey(brand),
            ],
            async ({ share, zips }, db) => {
              const check = await checkOf(db, zips, text);
              const mark = await brandMark(share.brand, share.meta.brandName, links);
              return serviceCheckPage({ token, share, mark, check }, links);
            },
          ),
        (reason, links) => closedMapPage(reason, true, links),
      ),
  });
  const map = operation({
    ...unlisted('get', CHECK_PICTURE_PATH),
    limit: 'map-image',
    params: z.object({ token: tokenParam, zip: ZipCode }),
    query: pictureQuery,
    answers: { 200: { description: 'The picture', cached: true, type: PNG } },
    errors: [400, 404, 503],
    // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
    async handle({ params: { token, zip }, query }) {
      const look = { ...pictureOptions(query), title: '' };
      return picture(
        token,
        ({ share }) => ['near', zip, shareHeading(share), lookKey(share.brand), look],
        async ({ share, zips }, db) => {
          const served = await servedZip(db, zips, zip);
          if (!isNearby(served)) throw notFound(`The territory isn’t near ${zip}.`);
          const { center, nearest } = served;
          const view = viewOf(await extentOfZip(db, zip), nearest?.bbox);
          const { picture } = await drawShare(db, renderer, share, zips, {
            ...look,
            ...(center && { overlay: parseMarkers(`${center.lng},${center.lat}`) }),
            ...(view && { camera: fitBbox(view, look.width, look.height, 0) }),
          });
          return picture;
        },
      );
    },
  });
  return [check, map];
}

/** @param text the customer's input; null before any input */
async function checkOf(
  db: Queryable,
  shared: readonly SharedZip[],
  text: string | null,
): Promise<Check> {
  if (text === null || text === '') return { kind: 'ask' };
  const zip = /^(\d{5})(-\d{4})?$/.exec(text)?.[1];
  if (zip === undefined) return { kind: 'malformed', text };
  return { kind: 'answer', served: await servedZip(db, shared, zip) };
}

/** Surroundings on the map, as a share of the extent */
const MARGIN = 0.75;

/** @param own extent of the ZIP code; undefined without a boundary. @returns undefined for the whole territory */
function viewOf(own: Bbox | undefined, nearest: Bbox | undefined): Bbox | undefined {
  if (!own) return undefined;
  const [west, south, east, north] = bboxAround(nearest ? [own, nearest] : [own]);
  const [x, y] = [MARGIN * (east - west), MARGIN * (north - south)];
  return [west - x, south - y, east + x, north + y];
}

/** Any site may frame these pages, because they need no script. */
export const serviceCheckHeaders = (): Headers =>
  linkHeaders({ hasMap: false, hasForm: true, mayFrame: true });
