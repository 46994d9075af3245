/** Reasons that reviewers can give for rejecting requested ZIP codes. */
export const REJECTION_REASONS = [
  'Outside our service area',
  'Too far from our crews',
  'Served by another of our brands',
  'Would be isolated',
  'Too little demand',
] as const;

export const MAX_REMARK_LENGTH = 500;
