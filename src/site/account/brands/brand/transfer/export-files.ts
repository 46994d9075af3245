/** A brand's territory as files to take away. */
import type { Readable } from 'node:stream';
import { requireAccess } from '../../../../../account/access.ts';
import { badRequest } from '../../../../../errors.ts';
import { brandNamed } from '../../../../../territory/brands.ts';
import { territoryCsv } from '../../../../../territory/export/csv.ts';
import {
  parseExportDetail,
  DEFAULT_EXPORT_DETAIL,
} from '../../../../../territory/export/detail.ts';
import { territoryGeoJson } from '../../../../../territory/export/geojson.ts';
import { territoryKml } from '../../../../../territory/export/kml.ts';
import { territoryPicture } from '../../../../../territory/export/picture.ts';
import type { Export } from '../../../../../territory/export/zips.ts';
import { pictureOptions, pictureQuery } from '../../../../../http/requests/picture-query.ts';
import type { MemberData } from '../../../../framework/data.ts';
import { streamed } from '../../../../framework/streamed.ts';
import type { MemberVisit, PeopleParts } from '../../../../framework/visit.ts';

const KML_TYPE = 'application/vnd.google-earth.kml+xml';

export const exports = ({ db, renderer }: PeopleParts): MemberData[] => [
  download('csv', 'text/csv; charset=utf-8', (territory) => streamed(territoryCsv(territory))),
  download('geojson', 'application/geo+json', (territory, { query }) =>
    streamed(territoryGeoJson(territory, detailOf(query))),
  ),
  download('kml', KML_TYPE, (territory, { query }) =>
    streamed(territoryKml(territory, detailOf(query))),
  ),
  download('png', 'image/png', (territory, { query }) => {
    const look = pictureQuery.safeParse(Object.fromEntries(query));
    if (look.success) return territoryPicture(db, renderer, territory, pictureOptions(look.data));
    throw badRequest(look.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '));
  }),
];

function download(
  ending: string,
  type: string,
  content: (territory: Export, visit: MemberVisit) => Promise<Readable | Buffer>,
): MemberData {
  return {
    method: 'get',
    path: `/account/brands/{brand}/export.${ending}`,
    type,
    // Each costs as much as a picture, or more.
    limit: 'map-image',
    async answer(visit) {
      const { caller, params } = visit;
      requireAccess(caller);
      const { tenant, brandScope: scope } = caller;
      const brand = await brandNamed(tenant, scope, params.brand!);
      const file = `${brand.slug}-${new Date().toISOString().slice(0, 10)}.${ending}`;
      return {
        body: await content({ tenant, scope, brand }, visit),
        headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${file}"` },
      };
    },
  };
}

const detailOf = (query: URLSearchParams) =>
  parseExportDetail(query.get('detail') ?? DEFAULT_EXPORT_DETAIL);
