/** Loads what the census says has changed in a brand's territory. */
import { figuresOrReason } from '../../../../../../people/metering/figures.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { changesOf, changesOrReason } from '../../../../../../territories/brands/census/changes.ts';
import type { MemberVisit } from '../../../../framework/visit.ts';
import type { CensusContent } from './census.ts';

/** @returns the changes of the whole territory, or the reason why there are none: no earlier figures, or a limit of the subscription */
export const loadCensus = ({ caller }: MemberVisit, brand: Brand): Promise<CensusContent> =>
  figuresOrReason(() =>
    changesOrReason(() =>
      changesOf(caller, caller.brandScope, { brand: brand.id }, { each: false }),
    ),
  );
