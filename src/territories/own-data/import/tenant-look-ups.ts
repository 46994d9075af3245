/** Answers the questions of an upload for an organization. */
import type { Tenant } from '../../../people/account/tenant.ts';
import { ServiceError, unavailable } from '../../../errors.ts';
import { groupByReason, missingBoundaries } from '../../../data/market/missing-boundaries.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import type { Areas, Cell, UploadLookUps } from './look-ups.ts';

export const uploadLookUps = (
  { common }: Pick<Tenant, 'common'>,
  geocoder: Geocoder | null,
): UploadLookUps => ({
  async knownZips() {
    // The database driver reads one long text much faster than many rows.
    const [row] = await common.query<{ zips: string }>(
      `select coalesce(string_agg(zip, ' '), '') as zips from zips`,
    );
    return row!.zips === '' ? [] : row!.zips.split(' ');
  },
  async unknownReasons(zips) {
    const groups = groupByReason(await missingBoundaries(common, zips));
    return new Map(groups.flatMap(({ reason, zips }) => zips.map((zip) => [zip, reason] as const)));
  },
  async zipsIn(cells: readonly Cell[]) {
    const rows = await common.query<{ zip: string }>(
      `select distinct zip
       from unnest($1::float8[], $2::float8[]) as cell (west, south)
       join zips on bbox && st_makeenvelope(west, south, west + 1, south + 1, 4326) order by zip`,
      [cells.map(([west]) => west), cells.map(([, south]) => south)],
    );
    return rows.map(({ zip }) => zip);
  },
  async boundaries(zips) {
    return areasOf(
      await common.query<AreasRow>(
        `${areasNamed('zip')} from zip_boundaries, st_asbinary(geom, 'NDR') as wkb
         where lod = 0 and zip = any($1)`,
        [zips],
      ),
    );
  },
  async states() {
    return areasOf(
      await common.query<AreasRow>(
        `${areasNamed('fips')} from basemap_features feature
         join basemap_shapes on feature_id = feature.id and lod = least(2, feature.max_lod),
           st_asbinary(geom, 'NDR') as wkb
         where layer = 'states' and kind = 'state'`,
      ),
    );
  },
  geocode: geocoder === null ? undefined : geocodeWith(geocoder, 'add ZIP codes to the file'),
});

/** @param instead what helps while the geocoder doesn’t respond */
export const geocodeWith =
  (geocoder: Geocoder, instead: string): NonNullable<UploadLookUps['geocode']> =>
  async (address) => {
    try {
      const [first] = await geocoder.find(address);
      return first === undefined ? null : { lng: first.lng, lat: first.lat };
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      throw unavailable(
        `The service that looks up addresses isn’t responding. Try again later, or ${instead}.`,
        { cause },
      );
    }
  };

const areasNamed = (column: string) =>
  `select array_agg(${column} order by ${column}) as names,
     array_agg(octet_length(wkb) order by ${column}) as lengths,
     string_agg(wkb, ''::bytea order by ${column}) as shapes`;

interface AreasRow {
  lengths: number[] | null;
  names: string[] | null;
  shapes: Buffer | null;
}

const areasOf = ([row]: readonly AreasRow[]): Areas => ({
  names: row?.names ?? [],
  lengths: row?.lengths ?? [],
  shapes: row?.shapes ?? new Uint8Array(),
});
