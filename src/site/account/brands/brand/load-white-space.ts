/** White space for a brand's page, as its address asks. */
import { figuresOrReason, type LimitReason } from '../../../../metering/figures.ts';
import { VERTICALS, verticalBySlug } from '../../../../scoring/verticals.ts';
import type { Brand } from '../../../../territory/brands.ts';
import {
  brandWhiteSpace,
  type BrandWhiteSpace,
} from '../../../../territory/targeting/brand-white-space.ts';
import { ownProfiles } from '../../../../territory/targeting/profile.ts';
import type { MemberVisit } from '../../../framework/visit.ts';

export interface WhiteSpaceContent {
  /** Slug */
  vertical: string;
  /** Null without a data set that has sums there */
  space: BrandWhiteSpace | LimitReason | null;
}

const LISTED = 10;

/**
 * Reads `vertical` and `data` from the address. By default, the vertical is one that the organization has weights for.
 * @throws ServiceError 404 for an unknown vertical
 */
export async function loadWhiteSpace(
  { caller, query }: Pick<MemberVisit, 'caller' | 'query'>,
  brand: Brand,
): Promise<WhiteSpaceContent> {
  const asked = query.get('vertical');
  const [own] = asked ? [] : await ownProfiles(caller.tenant);
  const vertical = asked ? verticalBySlug(asked).slug : (own?.vertical ?? VERTICALS[0]!.slug);
  const options = { vertical, data: query.get('data'), limit: LISTED };
  return { vertical, space: await figuresOrReason(() => brandWhiteSpace(caller, brand, options)) };
}
