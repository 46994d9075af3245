/** What the census says has changed in a brand’s territory, a market, or a list of ZIP codes. */
import { resolveMarket, type Market } from '../../../data/market/market.ts';
import {
  censusChanges,
  type CensusChanges,
  type ChangesOptions,
} from '../../../data/vintages/changes.ts';
import { findComparison } from '../../../data/vintages/comparison.ts';
import type { BrandScope } from '../../../people/account/caller.ts';
import { recordSeenZips, type Viewer } from '../../../people/metering/figures.ts';
import { ServiceError } from '../../../errors.ts';
import { matchingZips } from '../brand-zips.ts';
import { findBrand } from '../brands.ts';

export type ChangedSubject = { brand: string } | Market;

export interface SubjectChanges extends CensusChanges {
  /** The brand, the metro, or the state; null for a list of ZIP codes */
  name: string | null;
  /** Number of ZIP codes of the subject, also those without figures */
  zipCount: number;
}

/**
 * Compares the figures of two periods. A brand has the ZIP codes that it holds live.
 * @throws ServiceError as `findComparison`, `findBrand`, and `resolveMarket`; 402 as `recordSeenZips`
 */
export async function changesOf(
  viewer: Viewer,
  scope: BrandScope,
  subject: ChangedSubject,
  options: ChangesOptions = {},
): Promise<SubjectChanges> {
  const { tenant } = viewer;
  // Before figures are counted as seen
  await findComparison(tenant.common, options.since);
  const { zips, name } = await zipsOf(viewer, scope, subject);
  await recordSeenZips(viewer, zips);
  const changes = await censusChanges(tenant.common, zips, options);
  return { ...changes, name, zipCount: zips.length };
}

async function zipsOf(
  { tenant }: Viewer,
  scope: BrandScope,
  subject: ChangedSubject,
): Promise<{ zips: string[]; name: string | null }> {
  if (!('brand' in subject)) return resolveMarket(tenant.common, subject);
  const brand = await findBrand(tenant, scope, subject.brand);
  return { zips: await matchingZips(tenant, brand, { status: 'live' }), name: brand.name };
}

/** Returns the result, or the reason why no periods can be compared: what is missing, and what to do. */
export async function changesOrReason<T>(work: () => Promise<T>): Promise<T | NoComparison> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 409) throw error;
    return { incomparable: error.message };
  }
}

export interface NoComparison {
  incomparable: string;
}

export const isIncomparable = <T extends object>(
  result: T | NoComparison,
): result is NoComparison => 'incomparable' in result;
