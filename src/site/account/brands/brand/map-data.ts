/** What the map of a brand shows, as its script asks for it. */
import { PreparedAnswer } from '../../../../contract/prepared.ts';
import { brandNamed } from '../../../../territory/brands.ts';
import { readBrandZip } from '../../../../territory/brand-zips.ts';
import { bboxOfZips, mapZips, type MapZip } from '../../../../territory/map-zips.ts';
import { zipsInRadius } from '../../../../territory/zips-in-radius.ts';
import { zipProfile } from '../../../../territory/zip-profile.ts';
import { day } from '../../../format.ts';
import { reviewText } from './table.ts';
import { centreGiven } from './add/route.ts';
import type { MemberData } from '../../../framework/data.ts';

export const brandMap = (): MemberData => ({
  method: 'get',
  path: '/account/brands/{brand}/map.json',
  prepared: true,
  answer: async ({ caller: { tenant, brandScope }, params }) => {
    const brand = await brandNamed(tenant, brandScope, params.brand!);
    return { body: new PreparedAnswer(JSON.stringify(mapData(await mapZips(tenant, brand)))) };
  },
});

/**
 * ZIPs by what they are, each list in one text: of 5,000 ZIPs 30 kB, 8 kB compressed. Who shares one
 * is told by the places of their names in `brands`.
 */
function mapData(zips: readonly MapZip[]) {
  const listed = (is: (zip: MapZip) => boolean) =>
    zips
      .filter(is)
      .map(({ zip }) => zip)
      .join(' ');
  const brands = [...new Set(zips.flatMap(({ sharedWith }) => sharedWith))];
  const shared = zips.filter(({ sharedWith }) => sharedWith.length > 0);
  return {
    live: listed(({ status }) => status === 'live'),
    pending: listed(({ status }) => status === 'pending'),
    isolated: listed(({ isolated }) => isolated),
    brands,
    shared: Object.fromEntries(
      shared.map(({ zip, sharedWith }) => [zip, sharedWith.map((name) => brands.indexOf(name))]),
    ),
  };
}

/** ZIPs within a radius of a ZIP or a point, to be selected on the map. */
export const brandWithin = (): MemberData => ({
  method: 'get',
  path: '/account/brands/{brand}/within.json',
  answer: async ({ caller: { tenant, brandScope }, params, query }) => {
    await brandNamed(tenant, brandScope, params.brand!);
    const centre = centreGiven(query);
    const zips = await zipsInRadius(tenant.common, centre, Number(query.get('miles')));
    const bbox = await bboxOfZips(tenant, zips);
    return { body: { zips: zips.join(' '), bbox } };
  },
});

/** What is known of one ZIP, for the card beside the map. */
export const brandZip = (): MemberData => ({
  method: 'get',
  path: '/account/brands/{brand}/zips/{zip}.json',
  answer: async ({ caller: { tenant, brandScope }, params }) => {
    const brand = await brandNamed(tenant, brandScope, params.brand!);
    const { demographics, metroLabel, ...profile } = await zipProfile(
      tenant,
      brandScope,
      params.zip!,
    );
    const standing = await readBrandZip(tenant, brand, profile.zip);
    return {
      body: {
        metro: metroLabel,
        households: demographics?.householdsTotal ?? null,
        since: standing && day(standing.changedAt.toISOString()),
        review: standing?.review && reviewText(standing.review),
      },
    };
  },
});
