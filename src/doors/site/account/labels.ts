/** Labels of subscriptions, roles, brands, and reviews. */
import type { Subscription, Role } from '../../../people/account/caller.ts';
import type { BrandZip } from '../../../territories/brands/brand-zips.ts';

export const SUBSCRIPTION_LABELS: Readonly<Record<Subscription['status'], string>> = {
  trial: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  cancelled: 'Canceled',
};

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  reviewer: 'Reviewer',
  member: 'Member',
};

/** Returns the names of brands, or “All”. Brands that no longer exist, or that the viewer doesn't see, are missing. */
export const brandNames = (
  brandIds: readonly string[] | null,
  brands: readonly { id: string; name: string }[],
): string =>
  brandIds === null
    ? 'All'
    : brands
        .filter(({ id }) => brandIds.includes(id))
        .map(({ name }) => name)
        .join(', ') || 'No brand';

type Review = NonNullable<BrandZip['review']>;

export const REVIEW_LABELS: Readonly<Record<Review['status'], string>> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};

/** `Rejected: too far from our crews` */
export const reviewText = ({ status, reason }: Review): string =>
  reason === null ? REVIEW_LABELS[status] : `${REVIEW_LABELS[status]}: ${reason}`;
