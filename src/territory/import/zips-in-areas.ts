/** The ZIPs that areas mean: those of which more than half lies in them, taken together. */
import type { Tenant, TenantDatabase } from '../../account/tenant.ts';
import { badRequest, unavailable } from '../../errors.ts';
import type { Reading } from './finding.ts';
import type { ImportedArea } from './geojson.ts';

/** As nothing people draw takes; what is woven to take longer is broken off. */
const PATIENCE_MS = 20_000;
const QUERY_CANCELED = '57014';
/** Each holds a connection of the process for as long as it takes. */
const AT_ONCE = 2;
let underWay = 0;

/** @throws ServiceError 400 where the overlay takes too long, 503 where others are under way */
export async function zipsInAreas(
  db: TenantDatabase,
  areas: readonly ImportedArea[],
): Promise<Reading[]> {
  if (areas.length === 0) return [];
  if (underWay >= AT_ONCE) {
    throw unavailable('Other outlines are being laid over the ZIPs. Please try again in a minute.');
  }
  underWay++;
  try {
    return await db.transaction(async (tx) => {
      await tx.common.query(`set local statement_timeout = ${PATIENCE_MS}`);
      return readingsOf(tx, areas);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
    throw badRequest(
      'The outlines are too intricate to be laid over the ZIPs: simplify them, or name each ' +
        'feature’s ZIP in a property "zip".',
      { cause: error },
    );
  } finally {
    underWay--;
  }
}

async function readingsOf(tx: Tenant, areas: readonly ImportedArea[]): Promise<Reading[]> {
  const named = await confirmedZips(tx, areas);
  const readings: Reading[] = areas
    .filter(({ at }) => named.has(at))
    .map(({ at, given, zipMaybe }) => {
      const reason = 'It is named by its code, and lies where that ZIP is.';
      return { at, given: given || zipMaybe!, zip: zipMaybe, outcome: 'new', reason };
    });
  const drawn = areas.filter(({ at }) => !named.has(at));
  const crossing = await crossingAreas(tx, drawn);
  const broken = drawn.filter(({ at }) => crossing.get(at) === 'broken');
  for (const { at, given } of broken) {
    readings.push({ at, given, zip: null, outcome: 'not_understood', reason: TOO_CROSSED });
  }
  const laid = drawn.filter((area) => !broken.includes(area));
  const within = await overlaidZips(tx, laid);
  const givenAt = new Map(laid.map(({ at, given }) => [at, given]));
  for (const { zip, share, at } of within) {
    const mended = crossing.has(at);
    readings.push({
      at,
      given: givenAt.get(at)!,
      zip,
      outcome: mended ? 'guessed' : 'new',
      reason: `${percent(share)} of it lies inside.${mended ? ` ${CROSSED}` : ''}`,
    });
  }
  const meant = new Set(within.map(({ at }) => at));
  for (const { at, given, bbox } of laid) {
    if (meant.has(at)) continue;
    const reason = `No ZIP lies in it by more than half that no other feature has.${hint(bbox)}`;
    readings.push({ at, given, zip: null, outcome: 'not_understood', reason });
  }
  return readings.sort((a, b) => a.at - b.at || ((a.zip ?? '') < (b.zip ?? '') ? -1 : 1));
}

const CROSSED =
  'The outline is damaged, such as by crossing itself, and was read as it would be filled.';
const TOO_CROSSED =
  'The outline is damaged, such as by crossing itself, and has too many corners to be mended.';

/** Downwards: a ZIP of which 50.2 % lies inside is not half inside. */
const percent = (share: number) => `${Math.min(100, Math.floor(1000 * share) / 10)} %`;

/** Where there is land of the United States once the two are interchanged. */
const hint = ([west, south, east, north]: ImportedArea['bbox']) =>
  west > 17 && east < 72 && south > -180 && north < -64
    ? ' Longitude and latitude seem to be interchanged: longitude comes first.'
    : '';

/** Those whose code names a ZIP that is where they are: other areas have five digits, too. */
async function confirmedZips(tx: Tenant, areas: readonly ImportedArea[]): Promise<Set<number>> {
  const maybe = areas.filter(({ zipMaybe }) => zipMaybe !== null);
  const corner = (i: number) => maybe.map(({ bbox }) => bbox[i]);
  const rows = await tx.common.query<{ at: number }>(
    `select at from unnest($1::int[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
       as t (at, zip, west, south, east, north)
     join zips using (zip)
     where st_intersects(centroid, st_makeenvelope(west, south, east, north, 4326))
       -- a county around its namesake is larger
       and (east - west) * (north - south) <= 4 * st_area(bbox)`,
    [
      maybe.map(({ at }) => at),
      maybe.map(({ zipMaybe }) => zipMaybe),
      ...[corner(0), corner(1), corner(2), corner(3)],
    ],
  );
  return new Set(rows.map(({ at }) => at));
}

/** Mending takes the square of their corners. */
const MENDABLE_POSITIONS = 1_000;

async function crossingAreas(
  tx: Tenant,
  areas: readonly ImportedArea[],
): Promise<Map<number, 'mended' | 'broken'>> {
  const rows = await tx.common.query<{ at: number; positions: number }>(
    `select at, st_npoints(shape) as positions
     from unnest($1::int[], $2::text[]) as t (at, text), lateral (
       select st_geomfromgeojson(text) as shape offset 0) s
     where not st_isvalid(shape)`,
    shapesOf(areas),
  );
  return new Map(
    rows.map(({ at, positions }) => [at, positions > MENDABLE_POSITIONS ? 'broken' : 'mended']),
  );
}

const shapesOf = (areas: readonly ImportedArea[]) => [
  areas.map(({ at }) => at),
  areas.map(({ shape }) => shape),
];

/**
 * The areas are made one and cut into pieces of few corners: each ZIP then meets a piece or two, and
 * one that lies in a piece wholly is not cut. Shares are of degrees: within a ZIP they are as those
 * of the ground. A ZIP belongs to the first area around its middle, or to the nearest.
 */
async function overlaidZips(
  tx: Tenant,
  areas: readonly ImportedArea[],
): Promise<{ zip: string; share: number; at: number }[]> {
  if (areas.length === 0) return [];
  return tx.common.query(
    `with areas as materialized (
       select at, case when st_isvalid(shape) then shape
         else st_collectionextract(st_makevalid(shape, 'method=structure'), 3) end as area
       from unnest($1::int[], $2::text[]) as t (at, text), lateral (
         select st_geomfromgeojson(text) as shape offset 0) s
     ), pieces as materialized (
       select st_subdivide(st_union(area), 128) as piece from areas
     ), shares as materialized (
       select zips.zip, zips.centroid, sum(inside.area) / max(st_area(geom)) as share
       from pieces join zips on zips.bbox && piece,
         -- By its key, for those few: the planner would read every boundary of the country.
         lateral (select geom from zip_boundaries b where b.zip = zips.zip and lod = 0 offset 0) b,
         lateral (select case when st_covers(piece, geom) then st_area(geom)
           else st_area(st_intersection(piece, geom)) end as area) inside
       group by zips.zip, zips.centroid
     )
     select zip, share, coalesce(
       (select min(at) from areas where st_intersects(area, centroid)),
       (select at from areas order by area <-> centroid limit 1)) as at
     from shares where share > 0.5 + 1e-9 order by at, zip`,
    shapesOf(areas),
  );
}
