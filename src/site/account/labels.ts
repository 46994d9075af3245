/** Labels of plans, roles, and reviews. */
import type { Plan, Role } from '../../account/caller.ts';
import type { BrandZip } from '../../territory/brand-zips.ts';

export const PLAN_LABELS: Readonly<Record<Plan['status'], string>> = {
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
