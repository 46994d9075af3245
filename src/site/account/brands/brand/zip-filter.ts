/** The filter of a brand's ZIP codes, read from the page's address. */
import { badRequest } from '../../../../errors.ts';
import { FLAGS, REVIEW_STATUSES, ZIP_STATUSES } from '../../../../territory/brand-zips.ts';
import type { BrandZipFilter } from '../../../../territory/brand-zips.ts';

/**
 * Ignores empty fields.
 * @throws ServiceError 400 for a value that the form doesn't offer
 */
export function readZipFilter(fields: URLSearchParams): BrandZipFilter {
  return {
    status: readChoice(ZIP_STATUSES, fields, 'status'),
    flag: readChoice(FLAGS, fields, 'flag'),
    reviewStatus: readChoice(REVIEW_STATUSES, fields, 'review'),
    state: fields.get('state')?.toUpperCase() || undefined,
  };
}

function readChoice<Choice extends string>(
  choices: readonly Choice[],
  fields: URLSearchParams,
  name: string,
): Choice | undefined {
  const value = fields.get(name);
  if (!value) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice) return choice;
  throw badRequest(`${name} must be one of ${choices.join(', ')}.`);
}

export const isFiltered = (filter: BrandZipFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);
