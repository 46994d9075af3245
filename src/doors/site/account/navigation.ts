/** The navigation of the account area. */

/**
 * Pages by group. The link of a group opens its first page. Groups must be few and short enough for one line at
 * 1200 pixels, beside the organization and the bell.
 */
const GROUPS = {
  Overview: { '/account': 'Overview' },
  Map: { '/account/map': 'Map' },
  Brands: {
    '/account/brands': 'Brands',
    '/account/serving': 'Who serves it',
    '/account/groups': 'Groups',
    '/account/over-time': 'Over time',
  },
  Review: {
    '/account/reviews': 'Pending',
    '/account/reviews/changes': 'Changes',
    '/account/reviews/decided': 'Decided',
    '/account/reviews/settings': 'Review settings',
  },
  Share: { '/account/shares': 'Share links', '/account/locators': 'Locators' },
  Data: {
    '/account/data': 'Your data',
    '/account/places': 'Places',
    '/account/targeting': 'Targeting',
  },
  Activity: { '/account/activity': 'Activity' },
  Developers: {
    '/account/keys': 'API keys',
    '/account/webhooks': 'Webhooks',
    '/account/connections': 'Connections',
    '/account/connect': 'Connect a client',
    '/account/signed-urls': 'Signed URLs',
  },
  Settings: {
    '/account/members': 'Members',
    '/account/company-sign-in': 'Company sign-in',
    '/account/subscription': 'Subscription',
    '/account/usage': 'Usage',
    '/account/notifications': 'Notifications',
    '/account/sessions': 'Sessions',
    '/account/password': 'Password',
    '/account/second-factor': 'Second factor',
  },
} as const;

/** The page for members who must set up a second factor before anything else */
export const SECOND_FACTOR_PATH = '/account/second-factor';

type PathsOf<Group> = Group extends unknown ? keyof Group : never;

export type AccountPath = PathsOf<(typeof GROUPS)[keyof typeof GROUPS]>;

export interface NavigationEntry {
  path: string;
  label: string;
}

export interface NavigationGroup extends NavigationEntry {
  pages: readonly NavigationEntry[];
}

export const NAVIGATION: readonly NavigationGroup[] = Object.entries(GROUPS).map(
  ([label, group]) => {
    const pages = Object.entries(group).map(([path, name]) => ({ path, label: name as string }));
    return { label, path: pages[0]!.path, pages };
  },
);

/** Returns the entry of the navigation that a page belongs to. */
export const entryOf = (path: string): AccountPath =>
  NAVIGATION.flatMap(({ pages }) => pages)
    .map((entry) => entry.path as AccountPath)
    .filter((entry) => path === entry || path.startsWith(`${entry}/`))
    .reduce((a, b) => (b.length > a.length ? b : a), '/account');

export const groupOf = (path: AccountPath): NavigationGroup =>
  NAVIGATION.find(({ pages }) => pages.some((page) => page.path === path))!;

export const labelOf = (path: AccountPath): string =>
  groupOf(path).pages.find((page) => page.path === path)!.label;
