/** All data about one ZIP code, inside or outside launched metros. */
import type { BrandScope } from '../../people/account/caller.ts';
import { notFound } from '../../errors.ts';
import { readDemographics, type StoredDemographics } from '../../data/ingest/demographics-store.ts';
import { explainMissing, missingBoundaries } from '../../data/market/missing-boundaries.ts';
import { recordSeenZips, type Viewer } from '../../people/metering/figures.ts';
import { VERTICALS, type VerticalSlug } from '../../data/scoring/verticals.ts';
import { brandIdsInScope } from './brands.ts';
import { IS_HELD } from './held-conditions.ts';

export interface ZipProfile {
  zip: string;
  city: string | null;
  state: string | null;
  countyFips: string | null;
  /** Slug and label of the launched metro that contains it, or null */
  metro: string | null;
  metroLabel: string | null;
  /** Without a boundary, its neighbors are unknown. */
  hasBoundary: boolean;
  /** The centroid or, without a boundary, the Census Bureau's interior point; null if unknown */
  lat: number | null;
  lng: number | null;
  landAreaM2: number | null;
  /** Figures with reliability flags; null if the Census has no row for it */
  demographics: StoredDemographics | null;
  /** Scores in the usual order of verticals */
  scores: ZipScore[];
  /** Neighbors, longest shared border first */
  neighbors: { zip: string; city: string | null; sharedBorderM: number }[];
  /** The organization's brands within the scope that hold it, ordered by slug */
  holders: { brand: string; brandName: string; status: 'live' | 'pending' }[];
}

interface ZipScore {
  vertical: VerticalSlug;
  /** 0..100; null without enough data */
  score: number | null;
  /** The score before rounding, 0..1 */
  percentile: number | null;
  /** Total weight of the known signals, 0..1 */
  coverage: number;
}

/** @throws ServiceError 404 for a ZIP code with neither a boundary nor figures; 402 as `recordSeenZips` */
export async function zipProfile(
  viewer: Viewer,
  scope: BrandScope,
  zip: string,
): Promise<ZipProfile> {
  const { tenant } = viewer;
  const db = tenant.common;
  type ProfileRow = Omit<ZipProfile, 'demographics' | 'scores' | 'neighbors' | 'holders'>;
  const [place] = await db.query<ProfileRow>(
    `select zip, city, state, county_fips as "countyFips", m.slug as metro, m.label as "metroLabel",
       bbox is not null as "hasBoundary", st_y(centroid) as lat, st_x(centroid) as lng, land_area_m2 as "landAreaM2"
     from zips
     left join metro_counties using (county_fips)
     left join metros m on m.slug = metro_slug
     where zip = $1`,
    [zip],
  );
  if (!place) {
    const [missing] = await missingBoundaries(db, [zip]);
    throw notFound(explainMissing(missing!));
  }
  await recordSeenZips(viewer, [zip]);
  const [demographics] = await readDemographics(db, [zip]);
  const scores = await db.query<ZipScore>(
    'select vertical, score, percentile, coverage from zip_scores where zip = $1',
    [zip],
  );
  const scoreOf = new Map(scores.map((row) => [row.vertical, row]));
  return {
    ...place,
    demographics: demographics ?? null,
    scores: VERTICALS.flatMap(({ slug }) => scoreOf.get(slug) ?? []),
    neighbors: await db.query<ZipProfile['neighbors'][number]>(
      `select n.neighbor as zip, city, shared_border_m as "sharedBorderM"
       from zip_neighbors n join zips on zips.zip = n.neighbor
       where n.zip = $1 order by shared_border_m desc, n.neighbor`,
      [zip],
    ),
    holders: await tenant.query<ZipProfile['holders'][number]>(
      `select b.slug as brand, b.name as "brandName", bz.state as status
       from brand_zips bz join brands b on b.id = bz.brand_id
       where bz.organization_id = $1 and ${IS_HELD} and bz.zip = $2
         and ($3::uuid[] is null or b.id = any($3))
       order by b.slug`,
      [zip, brandIdsInScope(scope)],
    ),
  };
}
