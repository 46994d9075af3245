/** Downloads of a brand's territory. */
import type { Readable } from 'node:stream';
import { requireAccess } from '../../../../../account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { pictureOptions, pictureQuery } from '../../../../../http/requests/picture-query.ts';
import { territoryCsv } from '../../../../../territory/export/csv.ts';
import {
  parseExportDetail,
  DEFAULT_EXPORT_DETAIL,
} from '../../../../../territory/export/detail.ts';
import { territoryGeoJson } from '../../../../../territory/export/geojson.ts';
import { territoryKml } from '../../../../../territory/export/kml.ts';
import { territoryPicture } from '../../../../../territory/export/picture.ts';
import type { Export } from '../../../../../territory/export/zips.ts';
import { attachment, type MemberData } from '../../../../framework/data.ts';
import { streamText } from '../../../../framework/stream-text.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import { CSV } from '../../../../media-types.ts';
import { loadBrand } from '../load-brand.ts';

const KML = 'application/vnd.google-earth.kml+xml';

const download = (
  extension: string,
  type: string,
  content: (territory: Export, visit: MemberVisit) => Promise<Readable | Buffer>,
): MemberData => ({
  audience: 'member',
  path: `/account/brands/{brand}/export.${extension}`,
  type,
  // An export costs at least as much as a picture.
  limit: 'map-image',
  async answer(visit) {
    const { caller } = visit;
    requireAccess(caller);
    const { tenant, brandScope: scope } = caller;
    const brand = await loadBrand(visit);
    const day = new Date().toISOString().slice(0, 10);
    return {
      body: await content({ tenant, scope, brand }, visit),
      headers: attachment(type, `${brand.slug}-${day}.${extension}`),
    };
  },
});

export const exportFiles = [
  download('csv', CSV, (territory) => streamText(territoryCsv(territory))),
  download('geojson', 'application/geo+json', (territory, { query }) =>
    streamText(territoryGeoJson(territory, readDetail(query))),
  ),
  download('kml', KML, (territory, { query }) =>
    streamText(territoryKml(territory, readDetail(query))),
  ),
  download('png', 'image/png', (territory, { db, renderer, query }) => {
    const options = pictureQuery.safeParse(Object.fromEntries(query));
    if (options.success) {
      return territoryPicture(db, renderer, territory, pictureOptions(options.data));
    }
    const { issues } = options.error;
    throw badRequest(issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
  }),
];

const readDetail = (query: URLSearchParams) =>
  parseExportDetail(query.get('detail') ?? DEFAULT_EXPORT_DETAIL);
