/** Details for the page of a ZIP code, in addition to its public profile. */
import type { Complete, PublicZipProfile } from '../../../base/contract/resources.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { driversOf, type Drivers } from '../../scoring/drivers.ts';
import type { NationalSignals } from '../../scoring/national-signals.ts';
import { VERTICALS, type VerticalSlug } from '../../scoring/verticals.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { countyLabel } from '../search/places.ts';
import { BBOX } from '../zips.ts';
import { PUBLIC_TABLE_ROWS } from './ranking.ts';
import { publicZipProfile } from './zip.ts';

export interface ZipDetails {
  profile: Complete<typeof PublicZipProfile>;
  /** `Dallas County, TX`; null if the counties aren't imported */
  county: string | null;
  landAreaM2: number | null;
  /** Null without a boundary */
  bbox: Bbox | null;
  center: { lng: number; lat: number } | null;
  /** Verticals with a score, highest first */
  verticals: ZipVertical[];
  /** Neighbors in launched metros, longest common border first */
  neighbors: ZipNeighbor[];
}

interface ZipVertical {
  slug: VerticalSlug;
  label: string;
  score: number;
  /** Rank among the ZIP codes of the metro. 1 is the best, and equal scores have the same rank. */
  rank: number;
  /** Number of ZIP codes of the metro that have a score */
  ranked: number;
  /** Empty if the census figures are newer than the scores */
  drivers: Drivers;
}

interface ZipNeighbor {
  zip: string;
  city: string | null;
  state: string | null;
  /** By vertical; null scores are missing */
  scores: Partial<Record<VerticalSlug, number>>;
}

/** Number of reasons in each direction. More don't fit next to a score. */
const DRIVERS = 1;

/**
 * @param national the signals behind the scores
 * @throws ServiceError as `publicZipProfile`
 */
export async function zipDetails(
  db: Queryable,
  national: NationalSignals,
  zip: string,
): Promise<ZipDetails> {
  const profile = await publicZipProfile(db, zip);
  const [[place], ranks, neighbors] = await Promise.all([
    placeOf(db, zip),
    ranksOf(db, zip, profile.metroSlug!),
    neighborsOf(db, zip),
  ]);
  const { countyFips, countyName, landAreaM2, bbox, lng, lat } = place!;
  const row = national.rowOf.get(zip);
  return {
    profile,
    county: countyFips && countyName && countyLabel(countyFips, countyName),
    landAreaM2,
    bbox,
    neighbors,
    center: lng === null || lat === null ? null : { lng, lat },
    verticals: VERTICALS.flatMap(({ slug, label, inputs }) => {
      const own = profile.scores.find(({ verticalSlug }) => verticalSlug === slug);
      const rank = ranks.find(({ vertical }) => vertical === slug);
      if (!own || !rank) return [];
      const drivers =
        row === undefined
          ? { lifts: [], lowers: [] }
          : driversOf(inputs, national.ranks, row, DRIVERS);
      return { slug, label, score: own.score, rank: rank.rank, ranked: rank.ranked, drivers };
    }).sort((a, b) => b.score - a.score || a.rank / a.ranked - b.rank / b.ranked),
  };
}

interface PlaceRow {
  countyFips: string | null;
  countyName: string | null;
  landAreaM2: number | null;
  bbox: Bbox | null;
  lng: number | null;
  lat: number | null;
}

const placeOf = (db: Queryable, zip: string) =>
  db.query<PlaceRow & Record<string, unknown>>(
    `select county_fips as "countyFips", land_area_m2 as "landAreaM2",
       case when bbox is not null then ${BBOX} end as bbox,
       st_x(centroid) as lng, st_y(centroid) as lat,
       (select name from basemap_features
        where layer = 'counties' and fips = county_fips and name is not null limit 1) as "countyName"
     from zips where zip = $1`,
    [zip],
  );

/** A metro has up to 400 ZIP codes, each with a row per vertical. */
const ranksOf = (db: Queryable, zip: string, metro: string) =>
  db.query<{ vertical: VerticalSlug; rank: number; ranked: number }>(
    `select vertical, rank, ranked
     from (
       select zip, vertical, rank() over (partition by vertical order by percentile desc)::int as rank,
         count(*) over (partition by vertical)::int as ranked
       from zips join metro_counties using (county_fips) join zip_scores using (zip)
       where metro_slug = $1 and score is not null) ranks
     where zip = $2`,
    [metro, zip],
  );

const neighborsOf = (db: Queryable, zip: string) =>
  db.query<ZipNeighbor & Record<string, unknown>>(
    `select z.zip, city, state,
       (select coalesce(json_object_agg(vertical, score), '{}')
        from zip_scores s where s.zip = z.zip and score is not null) as scores
     from zip_neighbors n
     join zips z on z.zip = n.neighbor
     join metro_counties using (county_fips)
     where n.zip = $1
     order by shared_border_m desc, z.zip
     limit ${PUBLIC_TABLE_ROWS - 1}`,
    [zip],
  );
