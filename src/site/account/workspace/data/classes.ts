/**
 * The score classes of all ZIP codes of the country, for the map outside the market. Classes aren't figures,
 * so they are free (`metering/figures.ts`).
 */
import { NATIONAL_CLASSES } from '../../../../cartography/classes.ts';
import { datasetsStamp, type DatasetName } from '../../../../db/datasets.ts';
import { importedData, type DataAt } from '../../../../db/imported-data.ts';
import { verticalBySlug } from '../../../../scoring/verticals.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { MemberVisit, SiteParts } from '../../../framework/visit.ts';
import { NO_CLASS } from '../../../browser/zip-classes.ts';

const TYPE = 'text/plain; charset=utf-8';
/** Five for each vertical: a text has 100 kB. */
const CACHE_BYTES = 8 * 1024 * 1024;
const FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

const CLASSES_PATH = '/account/map/classes/{vertical}.txt';
const DATA: readonly DatasetName[] = ['scores'];

/** Returns the address of the current classes of a vertical, which the page fills in. */
export async function classesAddress({ db, caches, links }: MemberVisit): Promise<string> {
  const version = await caches.versionOf(await datasetsStamp(db, DATA));
  return `${links.page(CLASSES_PATH)}?v=${version}`;
}

export function classesRoute({ db, caches }: SiteParts): MemberData {
  const classes = caches.answers(
    {
      name: 'national classes',
      maxBytes: CACHE_BYTES,
      type: TYPE,
      data: importedData(db, DATA),
    },
    FOR_A_DAY,
  );
  return {
    audience: 'member',
    path: CLASSES_PATH,
    type: TYPE,
    prepared: true,
    async answer({ params, query }) {
      const { slug } = verticalBySlug(params.vertical!);
      return classes(slug, (at) => classesOf(at, slug), query.get('v') ?? undefined);
    },
  };
}

/** A character for each of the 100,000 codes: five digits compress well in their order. */
async function classesOf(db: DataAt, vertical: string): Promise<string> {
  const { breaks } = NATIONAL_CLASSES;
  const [row] = await db.query<{ zips: string | null; classes: string | null }>(
    `select string_agg(zip, ' ' order by zip) as zips,
       string_agg(width_bucket(score, $2::int[])::text, '' order by zip) as classes
     from zip_scores where vertical = $1 and score is not null`,
    [vertical, breaks],
  );
  const text = Array.from({ length: 100_000 }, () => NO_CLASS);
  const zips = row?.zips?.split(' ') ?? [];
  for (const [i, zip] of zips.entries()) text[Number(zip)] = row!.classes![i]!;
  return text.join('');
}
