/** The content of the page of a brand's territory, a type that its sections share. */
import type { BrandZipFilter } from '../../../../../territories/brands/brand-zips.ts';
import type { ScoredZips, ZipOrder } from '../../../../../territories/brands/scored-zips.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import type { LimitReason } from '../../../../../people/metering/figures.ts';
import type { HeldCounts, Health } from '../../../../../territories/brands/health.ts';
import type { Removal } from '../../../../../territories/brands/removals.ts';
import type { BoundaryContent } from './boundaries.ts';
import type { CensusContent } from './analysis/census.ts';
import type { ShownDay } from '../../over-time/day-form.ts';
import type { FormState } from '../../../form-state.ts';

export interface BrandContent {
  brand: Brand;
  form: FormState;
  counts: HeldCounts;
  /** Number of pending ZIP codes that are approved, and only wait for their day */
  plannedCount: number;
  /** The figures, or the reason why the subscription doesn't include them */
  health: Health | LimitReason;
  census: CensusContent;
  /** Null if new boundaries took nothing */
  boundaries: BoundaryContent | null;
  /** Number of held ZIP codes without a boundary, which the picture lacks */
  withoutBoundary: number;
  /** Slug of the vertical of the scores */
  vertical: string;
  zips: ScoredZips;
  filter: BrandZipFilter;
  order: ZipOrder;
  /** Number of ZIP codes before the page */
  offset: number;
  /** What the address asks for besides the filter, order, and page */
  asked: { vertical: string | null; asOf: string | null };
  /** USPS codes of the states where the brand holds ZIP codes */
  states: readonly string[];
  /** The removal that was just made, if any */
  removal: Removal | null;
  /** Reason why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
  /** The day of the territory */
  shownDay: ShownDay;
}
