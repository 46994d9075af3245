/** Reads the comparison that the query of a page, its table, or its picture asks for. */
import type { Caller } from '../../../../people/account/caller.ts';
import { findBrand, type Brand } from '../../../../territories/brands/brands.ts';
import type { FullDataSet } from '../../../../territories/own-data/data-sets.ts';
import { visibleDataOf } from '../../../../territories/own-data/viewer-data.ts';
import { compareDays, type Comparison } from '../../../../territories/record/comparison.ts';

interface Compared {
  comparison: Comparison;
  /** Null for all brands */
  brand: Brand | null;
  /** The chosen data sets: none, or one */
  data: FullDataSet[];
}

/** The fields of the query, which are the same in all three */
export const COMPARED_FIELDS = ['from', 'to', 'brand', 'data'] as const;

/** @throws ServiceError 400 as `compareDays`; 404 for an unknown brand or data set */
export async function compared(
  caller: Caller,
  query: Pick<URLSearchParams, 'get'>,
): Promise<Compared> {
  const [from, to, ref, set] = COMPARED_FIELDS.map((name) => query.get(name) || undefined);
  const { tenant, brandScope } = caller;
  const brand = ref === undefined ? null : await findBrand(tenant, brandScope, ref);
  const data = await visibleDataOf(caller, set === undefined ? [] : [set]);
  return { comparison: await compareDays(caller, { from, to, brandId: brand?.id }), brand, data };
}
