/** The content of the page of a brand's territory, a type that its sections share. */
import type { Page } from '../../../../contract/paging.ts';
import type { Balance } from '../../../../territory/balance.ts';
import type { BrandZip, BrandZipFilter } from '../../../../territory/brand-zips.ts';
import type { Brand } from '../../../../territory/brands.ts';
import type { LimitReason } from '../../../../metering/figures.ts';
import type { HeldCounts, Health } from '../../../../territory/health.ts';
import type { Removal } from '../../../../territory/removals.ts';
import type { Shape } from '../../../../territory/shape/shape.ts';
import type { FormState } from '../../../form-state.ts';
import type { WhiteSpaceContent } from './load-white-space.ts';

export interface BrandContent {
  brand: Brand;
  form: FormState;
  counts: HeldCounts;
  /** The figures, or the reason why the plan doesn't include them */
  health: Health | LimitReason;
  /** Number of held ZIP codes without a boundary, which the picture lacks */
  withoutBoundary: number;
  whiteSpace: WhiteSpaceContent;
  /** Null if no held ZIP code has a boundary */
  shape: Shape | null;
  /** Balance of the organization's brands by households; null if there is only one brand or no figures */
  balance: Balance<string> | null;
  page: Page<BrandZip>;
  filter: BrandZipFilter;
  /** Undefined on the first page */
  cursor: string | undefined;
  /** USPS codes of the states where the brand holds ZIP codes */
  states: readonly string[];
  /** The removal that was just made, if any */
  removal: Removal | null;
  /** Reason why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
}
