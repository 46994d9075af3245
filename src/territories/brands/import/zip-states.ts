/** Finds the ZIP codes of an import that exist, and those that the brand already holds. */
import type { Tenant } from '../../../people/account/tenant.ts';
import { groupByReason, missingBoundaries } from '../../../data/market/missing-boundaries.ts';
import { previewApply } from '../apply.ts';
import type { Brand } from '../brands.ts';
import type { ZipStates } from './look-ups.ts';
import type { ZipRange } from '../../../base/lists/read-zip.ts';

export async function readZipStates(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<ZipStates> {
  const known = await knownZips(tenant, zips);
  const stateOf = new Map<string, 'free' | 'live' | 'pending' | 'unknown'>(
    zips.map((zip) => [zip, 'unknown']),
  );
  const outcome = known.length > 0 ? await previewApply(tenant, brand, known) : null;
  for (const zip of outcome?.queued ?? []) stateOf.set(zip, 'free');
  for (const zip of outcome?.alreadyLive ?? []) stateOf.set(zip, 'live');
  for (const zip of outcome?.alreadyPending ?? []) stateOf.set(zip, 'pending');
  const refused = new Set(outcome?.refused);
  const unknown = zips.filter((zip) => stateOf.get(zip) === 'unknown' && !refused.has(zip));
  const reasons = groupByReason(await missingBoundaries(tenant.common, unknown));
  const unknownReasons = new Map(
    [...reasons, ...(outcome?.refusedReasons ?? [])].flatMap(({ reason, zips }) =>
      zips.map((zip) => [zip, reason] as const),
    ),
  );
  return { stateOf, unknownReasons, shared: outcome?.shared ?? [] };
}

/** Returns the ZIP codes of the list that are in the imported data. */
async function knownZips(tenant: Tenant, zips: readonly string[]): Promise<string[]> {
  const rows = await tenant.common.query<{ zip: string }>(
    'select zip from zips where zip = any($1)',
    [zips],
  );
  return rows.map(({ zip }) => zip);
}

/** Returns the ZIP codes of the imported data in any of the ranges, sorted. */
export async function zipsInRanges(tenant: Tenant, ranges: readonly ZipRange[]): Promise<string[]> {
  const rows = await tenant.common.query<{ zip: string }>(
    `select distinct zip
     from unnest($1::text[], $2::text[]) as range (low, high)
     join zips on zip between low and high order by zip`,
    [ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  );
  return rows.map(({ zip }) => zip);
}
