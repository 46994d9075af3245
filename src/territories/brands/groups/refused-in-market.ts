/** The ZIP codes of a market that rules of groups refuse to brands, so that a map can show them before anyone asks. */
import { group as groupBy } from 'd3-array';
import type { BrandScope } from '../../../people/account/caller.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { isInScope } from '../brands.ts';
import { heldInMarket } from '../held-in-market.ts';
import { readRuleFacts } from './facts.ts';
import { explainRefusal } from './refusal-words.ts';
import { refusalOf, type Refusal } from './rules.ts';

interface RefusedInMarket {
  brandId: string;
  /** A phrase: `held by North, and the group "Franchisees" blocks overlaps` */
  reason: string;
  /**
   * The brands whose holding is the reason: it ends when they give the ZIP codes up. Null if it's another reason, or if
   * the viewer doesn't see all of them
   */
  holderIds: string[] | null;
  /** Separated by spaces */
  zips: string;
}

/** Returns what the brands within the scope can't get, without what they hold live already. */
export async function refusedInMarket(
  tenant: Tenant,
  scope: BrandScope,
  market: readonly string[],
): Promise<RefusedInMarket[]> {
  const held = await heldInMarket(tenant, scope, market);
  const brands = held.map(({ brand }) => brand);
  const facts = await readRuleFacts(
    tenant,
    brands.map(({ id }) => id),
    market,
  );
  const concerned = new Set([
    ...facts.holders.keys(),
    ...facts.reserves.flatMap(({ zips }) => [...zips]),
  ]);
  return held.flatMap(({ brand, zips, pending }) => {
    const waiting = new Set(pending.split(' '));
    const live = new Set(zips.split(' ').filter((zip) => !waiting.has(zip)));
    const refused = [...concerned].flatMap((zip) => {
      const refusal = live.has(zip) ? null : refusalOf({ brand, zip }, facts);
      return refusal ? [{ zip, refusal }] : [];
    });
    const alike = groupBy(refused, ({ refusal }) =>
      JSON.stringify([explainRefusal(refusal), holderIdsOf(refusal, scope)]),
    );
    return Array.from(alike.values(), (claims) => {
      const { refusal } = claims[0]!;
      return {
        brandId: brand.id,
        reason: explainRefusal(refusal),
        holderIds: holderIdsOf(refusal, scope),
        zips: claims
          .map(({ zip }) => zip)
          .sort()
          .join(' '),
      };
    });
  });
}

function holderIdsOf(refusal: Refusal, scope: BrandScope): string[] | null {
  if (refusal.kind === 'reserve') return null;
  const ids = refusal.holders.map(({ id }) => id);
  return ids.every((id) => isInScope(scope, id)) ? ids : null;
}
