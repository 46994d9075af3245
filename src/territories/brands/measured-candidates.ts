/** The SQL of `discover`: ZIP codes by score, with their distance from a place or from a territory's border. */
import type { Queryable } from '../../base/db/database.ts';

/** A search for ZIP codes by score, around a place or a territory. */
interface Search {
  /** Hexadecimal EWKB */
  from: string;
  /** Measures from the nearest border of the ZIP codes in `without`. `from` is then the box around them. */
  inRings: boolean;
  radiusM: number | null;
  city: { city: string; state: string } | null;
  /** USPS code; null: any state */
  state: string | null;
  /** Slug of a launched metro; null: anywhere */
  metro: string | null;
  /** The ZIP codes to search; null: all */
  among: readonly string[] | null;
  vertical: string;
  minScore: number;
  without: string[];
  /** Other ZIP codes to leave out */
  except: readonly string[];
  after: [number, number, string] | null;
  limit: number;
}

export interface FoundZip {
  zip: string;
  city: string | null;
  state: string | null;
  score: number;
  households: number | null;
  percentile: number;
  distanceM: number;
}

/** Detail of boundaries, accurate to 120 m: finer than the 0.1 mile to which distances are rounded */
export const LOD = 1;

/**
 * SQL for a box that contains the circles of a radius around a geometry. A degree of latitude is at least 110.5 km
 * long, at the equator. A degree of longitude shrinks with the cosine of the latitude, taken at the side of the box
 * nearest to a pole. On the sphere, the border of a ZIP code bulges out of its own box by less than 0.01 degrees.
 */
const boxAround = (geom: string, meters: string) => {
  const degrees = `(${meters} / 110500 + 0.01)`;
  const latitude = `greatest(abs(st_ymin(${geom})), abs(st_ymax(${geom})))`;
  return `st_expand(${geom}, ${degrees} / cos(radians(least(89, ${latitude} + ${degrees}))), ${degrees})`;
};

const FROM_SOURCE = `select st_distance(
    st_geomfromewkb(decode($1, 'hex'))::geography, centroid::geography, false) as distance`;

/**
 * Largest number of ZIP codes that are merged to measure from their border. Merging 8,000 ZIP codes takes up to 3
 * seconds, and each distance to a border of 100,000 points takes a millisecond.
 */
export const MAX_UNITED = 100;

const bordersWithin = (meters: string) => `select zip from zips
  where zip = any($5) and bbox && ${boxAround('found.centroid', meters)}`;

/**
 * Searches for borders in growing rings, with the index on the boxes of ZIP codes. The nearest border within a ring is
 * the nearest of all.
 */
const IN_RINGS = `select nearest.distance
  from unnest(case when exists (${bordersWithin('$2::float8')}) then $16::float8[] end) as ring (meters)
  cross join lateral (
    select min(st_distance(b.geom::geography, found.centroid::geography, false)) as distance
    from (${bordersWithin('ring.meters')}) as held
      join zip_boundaries b on b.zip = held.zip and b.lod = ${LOD}
  ) as nearest
  where nearest.distance <= ring.meters limit 1`;

/** Radii of the rings. They grow slowly, so that a ring has few borders beyond the nearest one. */
const RINGS_M = Array.from({ length: 14 }, (_, i) => 5_000 * 1.4 ** i);

/**
 * Finds candidates. The index on centroids finds ZIP codes in a box around the circle. The query measures them by
 * descending score until it has enough. Distances are on a sphere (`false`), which is accurate to 0.5%.
 */
export function candidates(db: Queryable, search: Search): Promise<FoundZip[]> {
  const { radiusM, inRings } = search;
  const source = `st_geomfromewkb(decode($1, 'hex'))`;
  const rings = radiusM === null ? [] : [...RINGS_M.filter((ring) => ring < radiusM), radiusM];
  return db.query<FoundZip>(
    `select zip, city, state, score, percentile, distance as "distanceM",
       (select households_total from zip_demographics d where d.zip = found.zip) as households
     from (
       select zip, city, state, centroid, score, percentile
       from zips join zip_scores using (zip)
       where ${radiusM === null ? 'true' : `centroid && ${boxAround(source, '$2::float8')}`}
         and centroid is not null and not zip = any($5) and not zip = any($15)
         and ($14::text[] is null or zip = any($14))
         and ($3::text is null or (lower(city) = lower($3) and state = $4))
         and ($12::text is null or state = $12)
         and ($13::text is null or county_fips in (
           select county_fips from metro_counties where metro_slug = $13))
         and vertical = $6 and score >= $7 and ($8::float8 is null or percentile <= $8)
       order by percentile desc offset 0
     ) as found
     cross join lateral (${inRings ? IN_RINGS : FROM_SOURCE}) as measured
     where ($2::float8 is null or distance <= $2)
       and ($8::float8 is null or (-percentile, distance, zip) > (-$8, $9::float8, $10::text))
     order by percentile desc, distance, zip limit $11`,
    [
      search.from,
      radiusM,
      search.city?.city,
      search.city?.state,
      search.without,
      search.vertical,
      search.minScore,
      ...(search.after ?? [null, null, null]),
      search.limit,
      search.state,
      search.metro,
      search.among,
      search.except,
      ...(inRings ? [rings] : []),
    ],
  );
}
