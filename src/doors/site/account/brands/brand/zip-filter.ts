/** The filter, order, and page of a brand's ZIP codes, read from the page's address. */
import { badRequest } from '../../../../../errors.ts';
import {
  FLAGS,
  REVIEW_STATUSES,
  ZIP_STATUSES,
} from '../../../../../territories/brands/brand-zips.ts';
import { ZIP_ORDERS, type ZipOrder } from '../../../../../territories/brands/scored-zips.ts';
import { readWholeNumber } from '../../../../../base/text/whole-number.ts';
import type { BrandZipFilter } from '../../../../../territories/brands/brand-zips.ts';

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

/** ZIP codes on a page */
export const PAGE_SIZE = 20;

/** @throws ServiceError 400 for an order that the form doesn't offer */
export const readZipOrder = (fields: URLSearchParams): ZipOrder =>
  readChoice(ZIP_ORDERS, fields, 'sort') ?? 'zip';

/** @returns the number of ZIP codes before the page. @throws ServiceError 400 unless `cursor` is the number of a page */
export function readOffset(fields: URLSearchParams): number {
  const page = readWholeNumber(fields.get('cursor') ?? '1', 1, 9_999);
  if (page !== undefined) return (page - 1) * PAGE_SIZE;
  throw badRequest('cursor must be the number of a page, such as 2.');
}

export const isFiltered = (filter: BrandZipFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);
