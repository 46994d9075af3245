/** Which of a brand's ZIPs somebody looks at, as the address of the page tells. */
import { badRequest } from '../../../../errors.ts';
import { FLAGS, REVIEW_STATUSES, ZIP_STATUSES } from '../../../../territory/brand-zips.ts';
import type { BrandZipFilter } from '../../../../territory/brand-zips.ts';

/**
 * What is left empty, as a form sends it, filters nothing.
 * @throws ServiceError 400 for what no form of ours offers
 */
export function footprintFilter(fields: URLSearchParams): BrandZipFilter {
  return {
    status: oneOf(ZIP_STATUSES, fields, 'status'),
    flag: oneOf(FLAGS, fields, 'flag'),
    reviewStatus: oneOf(REVIEW_STATUSES, fields, 'review'),
    state: fields.get('state')?.toUpperCase() || undefined,
  };
}

function oneOf<T extends string>(
  choices: readonly T[],
  fields: URLSearchParams,
  name: string,
): T | undefined {
  const given = fields.get(name);
  if (!given) return undefined;
  const choice = choices.find((one) => one === given);
  if (choice) return choice;
  throw badRequest(`${name} must be one of ${choices.join(', ')}.`);
}

/** Whether it means less than all that the brand holds. */
export const isFiltered = (filter: BrandZipFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);
