/** White space for the analysis of a brand, as its address asks. */
import { figuresOrReason, type LimitReason } from '../../../../../../people/metering/figures.ts';
import { verticalBySlug } from '../../../../../../data/scoring/verticals.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import {
  brandWhiteSpace,
  type BrandWhiteSpace,
} from '../../../../../../territories/brands/targeting/brand-white-space.ts';
import { ownTrade } from '../../../../../../territories/brands/targeting/own-trade.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';

export interface WhiteSpaceContent {
  /** Slug */
  vertical: string;
  /** Null without a data set that has sums there */
  space: BrandWhiteSpace | LimitReason | null;
}

const LISTED = 10;

/**
 * Returns the slug of the vertical that the address names, or of the organization's trade.
 * @throws ServiceError 404 for an unknown vertical
 */
export async function chosenVertical({
  caller,
  query,
}: Pick<MemberVisit, 'caller' | 'query'>): Promise<string> {
  const asked = query.get('vertical');
  return (asked ? verticalBySlug(asked) : await ownTrade(caller.tenant)).slug;
}

/** Reads `data` from the address. */
export async function loadWhiteSpace(
  { caller, query }: Pick<MemberVisit, 'caller' | 'query'>,
  brand: Brand,
  vertical: string,
): Promise<WhiteSpaceContent> {
  const options = { vertical, data: query.get('data'), limit: LISTED };
  return { vertical, space: await figuresOrReason(() => brandWhiteSpace(caller, brand, options)) };
}
