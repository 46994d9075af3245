/** The content of the page of a brand's territory. Its sections share this type. */
import type { Page } from '../../../../paging.ts';
import type { Balance } from '../../../../territory/balance.ts';
import type { BrandZip, BrandZipFilter } from '../../../../territory/brand-zips.ts';
import type { Brand } from '../../../../territory/brands.ts';
import type { LimitReason } from '../../../../metering/figures.ts';
import type { HeldCounts, Health } from '../../../../territory/health.ts';
import type { Removal } from '../../../../territory/removals.ts';
import type { Shape } from '../../../../territory/shape.ts';
import type { FormState } from '../../../form-state.ts';

export interface BrandContent {
  brand: Brand;
  form: FormState;
  counts: HeldCounts;
  /** The figures, or why the plan doesn't include them */
  health: Health | LimitReason;
  /** Null if no held ZIP code has a boundary */
  shape: Shape | null;
  /** Balance of the organization's brands by households; null for one brand, or without figures */
  balance: Balance<string> | null;
  page: Page<BrandZip>;
  filter: BrandZipFilter;
  /** Undefined on the first page */
  cursor: string | undefined;
  /** USPS codes of the states with ZIP codes of the brand */
  states: readonly string[];
  /** The removal that was just made */
  removal: Removal | null;
  /** Why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
}
