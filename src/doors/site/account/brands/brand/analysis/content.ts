/** The content of the analysis of a territory, a type that its sections share. */
import type { Balance } from '../../../../../../territories/brands/balance.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import type { HeldCounts, Health } from '../../../../../../territories/brands/health.ts';
import type { LimitReason } from '../../../../../../people/metering/figures.ts';
import type { Shape } from '../../../../../../territories/brands/shape/shape.ts';
import type { CensusContent } from './census.ts';
import type { WhiteSpaceContent } from './load-white-space.ts';

export interface AnalysisContent {
  brand: Brand;
  counts: HeldCounts;
  /** The figures, or the reason why the subscription doesn't include them */
  health: Health | LimitReason;
  /** Null if no held ZIP code has a boundary */
  shape: Shape | null;
  /** Balance of the organization's brands by households; null if there is only one brand or no figures */
  balance: Balance<string> | null;
  whiteSpace: WhiteSpaceContent;
  census: CensusContent;
  /** Reason why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
}
