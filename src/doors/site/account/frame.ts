/** The frame of account pages: the bar with the navigation, the title, and a notice. */
import type { AssetName } from '../assets.ts';
import { menuOptions } from '../forms.ts';
import { html, Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { FOR_ORGANIZATION } from '../../http/sign-in/for-organization.ts';
import { notice } from '../notices.ts';
import { groupOf, labelOf, NAVIGATION } from './navigation.ts';
import type { AccountPath, NavigationEntry, NavigationGroup } from './navigation.ts';
import { formatCount } from '../../../base/text/words.ts';

/** The person viewing the page */
interface Viewer {
  name: string;
  organization: { id: string; name: string };
  /** All organizations that the person belongs to */
  organizations: readonly { id: string; name: string }[];
  /** ZIP codes pending review; null if the person isn’t a reviewer */
  pendingReviews: number | null;
  unreadNotifications: number;
}

/** Content of the frame of every page */
export interface AccountFrame {
  viewer: Viewer;
  /** Name of the notice in the address */
  done: string | null;
}

export interface AccountContent {
  /** The page itself or its parent, which the navigation marks */
  path: AccountPath;
  /** Default: the label in the navigation */
  title?: string;
  /** The page’s own stylesheets and scripts */
  assets?: readonly AssetName[];
  /** The page shows a MapLibre GL map */
  hasMap?: boolean;
  aboveTitle?: Html;
  belowTitle?: Html;
  main: Html;
}

export function accountPage(
  content: AccountContent,
  { viewer, done }: AccountFrame,
  links: Links,
): string {
  const { path, title = labelOf(path), assets = [], hasMap = false } = content;
  const { aboveTitle, belowTitle, main } = content;
  return renderPage(
    {
      title,
      description: 'Your account.',
      path: null,
      bar: accountBar(path, viewer, links),
      assets: ['account/script.ts', ...assets],
      hasMap,
      main: html`<div class="account">
        ${aboveTitle}
        <h1>${title}</h1>
        ${belowTitle} ${notice(done)} ${forOrganization(main, viewer)}
      </div>`,
    },
    links,
  );
}

/**
 * Adds the organization to forms, because a person in several organizations may switch in another tab
 * before submitting.
 */
function forOrganization({ text }: Html, { organization }: Viewer): Html {
  const field = html`<input type="hidden" name="${FOR_ORGANIZATION}" value="${organization.id}" />`;
  return new Html(text.replaceAll(/<form\s[^>]*method="post"[^>]*>/g, `$&${field.text}`));
}

const MENU = 'account-menu';

/**
 * The bar. On narrow screens, it is one line: a button that opens the navigation, and the bell. The button needs no
 * script, and browsers without popovers show the navigation below it.
 */
function accountBar(current: AccountPath, viewer: Viewer, links: Links): Html {
  const group = groupOf(current);
  const page = labelOf(current);
  return html`<section class="account-bar" aria-label="Account area">
    <div>
      <button type="button" class="menu-button" popovertarget="${MENU}">
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
          <path d="M2 4.5h14M2 9h14M2 13.5h14" stroke="currentColor" stroke-width="1.5" />
        </svg>
        <span class="visually-hidden">Menu. You are at </span>
        <span><b>${group.label}</b>${page !== group.label && html` · ${page}`}</span>
      </button>
      <div id="${MENU}" popover>
        <nav aria-label="Account">
          <ul>
            ${NAVIGATION.map((each) => groupEntry(each, current, viewer, links))}
          </ul>
        </nav>
        <div class="who">
          ${organizationSwitch(viewer, links)}
          <form method="post" action="${links.page('/logout')}" class="inline">
            <span class="person quiet">${viewer.name}</span>
            <button class="quiet-button">Sign out</button>
          </form>
        </div>
      </div>
      ${bell(viewer, links)}
    </div>
  </section>`;
}

/** A group with its pages. Wide screens show the pages of the current group only, in a second line. */
function groupEntry(group: NavigationGroup, current: string, viewer: Viewer, links: Links): Html {
  const { path, label, pages } = group;
  const isCurrent = pages.some((page) => page.path === current);
  const link = (entry: NavigationEntry, mark: 'page' | 'true' | false, badge?: Html | false) =>
    html`<a href="${links.page(entry.path)}" ${mark && html`aria-current="${mark}"`}
      >${entry.label}${badge}</a
    >`;
  return html`<li ${isCurrent && html`class="current"`}>
    ${link(
      { path, label },
      isCurrent && (pages.length > 1 ? 'true' : 'page'),
      path === QUEUE_PATH && pendingBadge(viewer),
    )}
    ${
      pages.length > 1 &&
      html`<ul aria-label="${label}">
        ${pages.map((page) => html`<li>${link(page, page.path === current && 'page')}</li>`)}
      </ul>`
    }
  </li>`;
}

const QUEUE_PATH = '/account/reviews' satisfies AccountPath;

const pendingBadge = ({ pendingReviews }: Viewer) =>
  !!pendingReviews &&
  html`<span class="badge"
    ><span class="visually-hidden">, </span>${formatCount(pendingReviews)}<span
      class="visually-hidden"
    >
      pending</span
    ></span
  >`;

/** Leads to the notifications, and counts those that the viewer hasn’t seen. */
function bell({ unreadNotifications: unread }: Viewer, links: Links): Html {
  return html`<a class="bell" href="${links.page('/account/notifications' satisfies AccountPath)}">
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M10 2.5a5 5 0 0 0-5 5c0 4.5-2 5.5-2 7h14c0-1.5-2-2.5-2-7a5 5 0 0 0-5-5zM8 17a2 2 0 0 0 4 0"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
    </svg>
    <span class="visually-hidden">Notifications${unread > 0 && `, ${unread} new`}</span>
    ${unread > 0 && html`<span class="badge" aria-hidden="true">${formatCount(unread)}</span>`}
  </a>`;
}

/** Lets a person in several organizations switch between them. */
function organizationSwitch(viewer: Viewer, links: Links): Html {
  const { id, name } = viewer.organization;
  if (viewer.organizations.length < 2) return html`<strong title="${name}">${name}</strong>`;
  return html`<form method="post" action="${links.page('/account/organization')}" class="inline">
    <label class="visually-hidden" for="acting-for">Organization</label>
    <select id="acting-for" name="organization">
      ${menuOptions(
        viewer.organizations.map((one) => ({ value: one.id, label: one.name })),
        id,
      )}
    </select>
    <button class="quiet-button">Switch</button>
  </form>`;
}
