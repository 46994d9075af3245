/** All ZIP codes that the service knows, with their places and centers, in memory. */
import type { Queryable } from '../../base/db/queryable.ts';
import { cacheOf } from '../../base/cache/cache.ts';
import type { Point } from './zip-centers.ts';

/**
 * `area`: it has a boundary; `figures`: figures only. The others aren't imported: `listed` has an area somewhere, `mail`
 * has none, such as PO boxes.
 */
export type ZipKind = 'area' | 'figures' | 'listed' | 'mail';

const KINDS: readonly ZipKind[] = ['area', 'figures', 'listed', 'mail'];

/** The ZIP codes as columns, in order. Threads get a copy. */
export interface GazetteerColumns {
  zips: readonly string[];
  /** `Dallas, TX`; empty if unknown */
  places: readonly string[];
  /** NaN if unknown */
  lngs: Float64Array;
  lats: Float64Array;
  /** Positions in `KINDS` */
  kinds: Uint8Array;
  /** For those that aren't imported, the ZIP code whose boundary covers their point; empty without one */
  around: readonly string[];
}

export interface KnownZip {
  zip: string;
  place: string;
  kind: ZipKind;
  /** The centroid, or a point inside */
  center: Point | null;
}

export interface Gazetteer {
  columns: GazetteerColumns;
  find(zip: string): KnownZip | null;
  /**
   * Returns the ZIP code whose area is around one without an area: the one at its point, or for mail, the one in the same
   * city with the nearest number. The post office numbers its boxes like the areas around it.
   */
  areaAround(zip: string): KnownZip | null;
}

const ENTRY_BYTES = 250;
const gazetteers = cacheOf<Gazetteer>(({ columns }) => columns.zips.length * ENTRY_BYTES);

/** @param stamp of the imported data, so that an import makes another one */
export const gazetteerAt = (db: Queryable, stamp: string): Promise<Gazetteer> =>
  gazetteers.find(stamp, async () => gazetteerOf(await readColumns(db)));

async function readColumns(db: Queryable): Promise<GazetteerColumns> {
  // The database driver reads one long text much faster than many rows.
  const [row] = await db.query<{ lines: string | null }>(
    `select string_agg(concat_ws(e'\\t', zip,
         concat_ws(', ', coalesce(zips.city, listed.city), coalesce(zips.state, listed.state)),
         coalesce(st_x(coalesce(centroid, point))::text, 'NaN'),
         coalesce(st_y(coalesce(centroid, point))::text, 'NaN'),
         case when zips.bbox is not null then 0 when zips.zip is not null then 1
           when point is not null then 2 else 3 end, coalesce(around, '')), e'\\n' order by zip) as lines
     from zips full join zip_directory listed using (zip)
     left join lateral (
       select z.zip as around from zips z join zip_boundaries b on b.zip = z.zip and lod = 0
       where zips.zip is null and z.bbox && point and st_covers(b.geom, point)
       order by z.zip limit 1) area on true`,
  );
  const lines = row!.lines?.split('\n') ?? [];
  const fields = lines.map((line) => line.split('\t'));
  const numbers = (column: number) => fields.map((values) => Number(values[column]));
  return {
    zips: fields.map(([zip]) => zip!),
    places: fields.map(([, place]) => place!),
    lngs: Float64Array.from(numbers(2)),
    lats: Float64Array.from(numbers(3)),
    kinds: Uint8Array.from(numbers(4)),
    around: fields.map((values) => values[5]!),
  };
}

export function gazetteerOf(columns: GazetteerColumns): Gazetteer {
  const { zips, places, lngs, lats, kinds, around } = columns;
  const positions = new Map(zips.map((zip, i) => [zip, i]));
  const known: KnownZip[] = [];
  const knownAt = (i: number): KnownZip =>
    (known[i] ??= {
      zip: zips[i]!,
      place: places[i]!,
      kind: KINDS[kinds[i]!]!,
      center: Number.isNaN(lngs[i]!) ? null : { lng: lngs[i]!, lat: lats[i]! },
    });
  /** Positions of the ZIP codes with areas, by place */
  let areas: Map<string, number[]> | undefined;
  const areasOf = (place: string) => {
    if (areas === undefined) {
      areas = new Map();
      for (let i = 0; i < zips.length; i++) {
        if (kinds[i] !== 0 || places[i] === '') continue;
        const some = areas.get(places[i]!);
        if (some === undefined) areas.set(places[i]!, [i]);
        else some.push(i);
      }
    }
    return areas.get(place) ?? [];
  };
  return {
    columns,
    find(zip) {
      const at = positions.get(zip);
      return at === undefined ? null : knownAt(at);
    },
    areaAround(zip) {
      const at = positions.get(zip);
      if (at === undefined) return null;
      if (around[at] !== '') return knownAt(positions.get(around[at]!)!);
      if (KINDS[kinds[at]!] !== 'mail') return null;
      const apart = (i: number) => Math.abs(Number(zips[i]) - Number(zip));
      const near = areasOf(places[at]!);
      return near.length === 0
        ? null
        : knownAt(near.reduce((best, i) => (apart(i) < apart(best) ? i : best)));
    },
  };
}
