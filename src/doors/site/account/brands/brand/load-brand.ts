import { findBrand, type Brand } from '../../../../../territories/brands/brands.ts';
import type { MemberVisit } from '../../../framework/visit.ts';

/** The brand that the address names. @throws ServiceError 404 */
export const loadBrand = ({ caller, params }: MemberVisit): Promise<Brand> =>
  findBrand(caller.tenant, caller.brandScope, params.brand!);
