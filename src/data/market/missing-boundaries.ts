/** Explains why ZIP codes have no boundary. */
import type { Queryable } from '../../base/db/database.ts';
import { placeName, joinFirst } from '../../base/text/words.ts';

/**
 * `figures-only`: the imported figures include the ZIP code. The other kinds have no row in `zips`: `mail`
 * has no area at all, `not-imported` has one that isn't imported, and `unlisted` isn't a ZIP code.
 */
type Reason = 'figures-only' | 'mail' | 'not-imported' | 'unlisted';

interface MissingBoundary {
  zip: string;
  reason: Reason;
  city: string | null;
  state: string | null;
}

/** ZIP codes without a boundary for the same reason. */
export interface MissingGroup {
  /** A phrase, such as `not a known ZIP code` */
  reason: string;
  zips: string[];
}

const REASONS: Readonly<Record<Reason, string>> = {
  'figures-only': 'with figures but without an imported boundary',
  mail: 'for mail only, such as PO boxes, with neither an area nor figures',
  'not-imported': 'in neither the imported boundaries nor the figures',
  unlisted: 'not a known ZIP code',
};

/** Returns the ZIP codes that have no boundary, in order. */
export function missingBoundaries(
  db: Queryable,
  zips: Iterable<string>,
): Promise<MissingBoundary[]> {
  return db.query<MissingBoundary & Record<string, unknown>>(
    `select zip, coalesce(zips.city, listed.city) as city, coalesce(zips.state, listed.state) as state,
       case when zips.zip is not null then 'figures-only'
         when listed.zip is null then 'unlisted'
         when listed.point is null then 'mail' else 'not-imported' end as reason
     from unnest($1::text[]) as wanted (zip)
     left join zips using (zip)
     left join zip_directory listed using (zip)
     where zips.bbox is null order by zip`,
    [[...zips]],
  );
}

/** Returns whether the ZIP code has no figures either. */
export const isAbsent = ({ reason }: MissingBoundary): boolean => reason !== 'figures-only';

export function groupByReason(missing: readonly MissingBoundary[]): MissingGroup[] {
  return Object.entries(REASONS).flatMap(([reason, text]) => {
    const zips = missing.filter((one) => one.reason === reason).map(({ zip }) => zip);
    return zips.length > 0 ? [{ reason: text, zips }] : [];
  });
}

/** `75221 (for mail only, …); 99999 (not a known ZIP code)` */
export const formatMissing = (groups: readonly MissingGroup[]): string =>
  groups.map(({ reason, zips }) => `${joinFirst(zips)} (${reason})`).join('; ');

/** Explains why a ZIP code isn't in the data, and what to do about it. */
export function explainMissing({ zip, reason, city, state }: MissingBoundary): string {
  const place = placeName(city, state);
  return `ZIP code ${zip}${place && ` (${place})`} ${EXPLANATIONS[reason]}`;
}

const EXPLANATIONS: Readonly<Record<Reason, string>> = {
  'figures-only':
    'has figures but no imported boundary. An operator can import boundaries of the same year as the figures.',
  mail: 'is for mail only, such as PO boxes or one organization: the Census Bureau has no area and no figures for it. Use the ZIP code around it.',
  'not-imported':
    'is in neither the imported boundaries nor the figures. An operator can import data that include it.',
  unlisted:
    'isn’t known: the lists of the Census Bureau and the post office that the service has don’t include it. Check its digits.',
};
