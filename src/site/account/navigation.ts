/** The pages of the account area, in the order in which they are offered. */

export const ACCOUNT_PAGES = {
  '/account': 'Overview',
  '/account/keys': 'API keys',
  '/account/members': 'Members',
  '/account/sessions': 'Sessions',
  '/account/password': 'Password',
} as const;

export type AccountPath = keyof typeof ACCOUNT_PAGES;
