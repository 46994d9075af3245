/** The trade of an organization: the vertical whose scores pages show until a person chooses another one. */
import { VERTICALS, type Vertical } from '../../../data/scoring/verticals.ts';
import { reviewSettings } from '../../../people/account/review-settings.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { ownProfiles } from './profile.ts';

/** Returns the trade that the organization chose, or else one that it has weights for, or else the first vertical. */
export async function ownTrade(tenant: Tenant): Promise<Vertical> {
  const { trade } = await reviewSettings(tenant);
  const named = trade ?? (await ownProfiles(tenant))[0]?.vertical;
  return VERTICALS.find(({ slug }) => slug === named) ?? VERTICALS[0]!;
}
