/** What new boundaries took from the territories of brands, and what would restore them. */
import { formatShare, lossesOf, type Loss } from '../../../data/ingest/boundary-changes/words.ts';
import {
  boundaryParts,
  regainedSince,
  type BoundaryReport,
} from '../../../data/ingest/boundary-changes/store.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { joinWithAnd, pluralize } from '../../../base/text/words.ts';
import { IS_HELD } from '../held-conditions.ts';
import type { Brand } from '../brands.ts';
import { isNamed, SHOWN_BRAND_JSON } from '../named-brands.ts';

/** A ZIP code of a brand that lost some of its area */
export interface BrandLoss extends Loss {
  /** Where its area went, besides to live ZIP codes of the same brand */
  gone: GonePart[];
}

interface GonePart {
  /** Null: no ZIP code */
  nowIn: string | null;
  share: number;
  households: number | null;
  /** Other brands that hold it, as far as the caller may know them */
  holders: Brand[];
  /** Whether a request of the brand for it waits for a review */
  isRequested: boolean;
}

export interface BrandLosses {
  report: BoundaryReport;
  losses: BrandLoss[];
  /** ZIP codes that nobody holds or requests, to which area of the brand went: requesting them restores the agreed ground */
  restoring: string[];
}

/**
 * Returns what an import of boundaries took from the ZIP codes that a brand held live then and holds live now; null if it
 * took nothing, or what it took is held by the brand again.
 * @param reportId default: the last import of which something is still missing
 */
export async function lossesOfBrand(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  reportId?: number,
): Promise<BrandLosses | null> {
  const touched = await tenant.query<BoundaryReport & { zips: string[] }>(
    `select r.id::int, vintage_before as "vintageBefore", vintage_after as "vintageAfter",
       imported_at as "importedAt", array_agg(distinct bz.zip) as zips
     from brand_zips bz
     join boundary_parts p on p.zip = bz.zip
     join boundary_reports r on r.id = p.report_id
     where bz.organization_id = $1 and bz.brand_id = $2 and bz.state = 'live'
       and ($3::bigint is null or r.id = $3) and ($4::timestamptz is null or imported_at <= $4)
       and exists (select from holdings h
         where h.brand_id = bz.brand_id and h.zip = bz.zip and h.state = 'live'
           and held_from <= imported_at and (held_until is null or held_until > imported_at))
     group by r.id order by r.id desc limit ${MOST_REPORTS}`,
    [brand.id, reportId, tenant.moment],
  );
  // A later import that took nothing that is still missing doesn't hide an earlier one that did.
  for (const one of touched) {
    const found = await lossesByReport(tenant, brand, one);
    if (found) return found;
  }
  return null;
}

const MOST_REPORTS = 10;

async function lossesByReport(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  { zips, ...report }: BoundaryReport & { zips: string[] },
): Promise<BrandLosses | null> {
  const regained = await regainedSince(tenant.common, report.id, zips);
  const lost = zips.filter((zip) => !regained.has(zip));
  const parts = await boundaryParts(tenant.common, report.id, lost);
  const holdings = await holdingsOfZips(
    tenant,
    brand,
    parts.flatMap(({ nowIn }) => nowIn ?? []),
  );
  const losses = lossesOf(parts)
    .map((loss): BrandLoss => ({
      ...loss,
      gone: loss.to.flatMap(({ nowIn, share, households }) => {
        const { brands, own } = holdings.get(nowIn ?? '') ?? { brands: [], own: null };
        if (own === 'live') return [];
        return { nowIn, share, households, holders: brands, isRequested: own === 'pending' };
      }),
    }))
    .filter(({ gone }) => gone.length > 0);
  if (losses.length === 0) return null;
  const restoring = new Set(
    losses.flatMap(({ gone }) =>
      gone.flatMap(({ nowIn, holders, isRequested }) =>
        nowIn !== null && holders.length === 0 && !isRequested ? [nowIn] : [],
      ),
    ),
  );
  return { report, losses, restoring: [...restoring].sort() };
}

interface Holding {
  /** The other brands that hold it, as far as the caller may know them */
  brands: Brand[];
  own: 'live' | 'pending' | null;
}

/** Returns who holds ZIP codes in the organization. @param brand that whose own holding is told apart */
async function holdingsOfZips(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  zips: readonly string[],
): Promise<Map<string, Holding>> {
  const rows = await tenant.acrossBrands.query<Holding & { zip: string }>(
    `select bz.zip, max(bz.state) filter (where b.id = $3) as own,
       coalesce(jsonb_agg(${SHOWN_BRAND_JSON} order by b.slug) filter (where b.id <> $3), '[]') as brands
     from brand_zips bz join brands b on b.id = bz.brand_id
     where bz.organization_id = $1 and ${IS_HELD} and bz.zip = any($2)
     group by bz.zip`,
    [[...new Set(zips)], brand.id],
  );
  return new Map(rows.map(({ zip, ...holding }) => [zip, holding]));
}

/**
 * `75201 lost 12% of its area (about 310 households) to 75270, which nobody holds`
 * @param naming whether other brands are named, as far as the caller may know them
 */
export function brandLossText(
  { zip, ended, gone }: BrandLoss,
  { naming = true }: { naming?: boolean } = {},
): string {
  const to = gone.map(({ nowIn, share, households, holders, isRequested }) => {
    const lived = households === null ? '' : ` (about ${pluralize(households, 'household')})`;
    const part = `${formatShare(share)}${ended ? '' : ' of its area'}${lived}`;
    if (nowIn === null) return `${part} to no ZIP code`;
    if (isRequested) return `${part} to ${nowIn}, which waits for a review`;
    if (holders.length === 0) return `${part} to ${nowIn}, which nobody holds`;
    const names = new Set(
      holders.map((one) => (naming && isNamed(one) ? one.name : 'another brand')),
    );
    return `${part} to ${nowIn}, which ${joinWithAnd([...names])} ${names.size === 1 ? 'holds' : 'hold'}`;
  });
  return ended ? `${zip} ended. Its area went: ${to.join('; ')}` : `${zip} lost ${to.join('; ')}`;
}
