/** What pages of the account area have around their content, and those that lead to it. */
import type { AssetName } from '../assets.ts';
import { count } from '../format.ts';
import { html, Html } from '../html.ts';
import { page } from '../layout.ts';
import type { Links } from '../links.ts';
import { noticeText } from './notices.ts';
import { groupOf, labelOf, NAVIGATION } from './navigation.ts';
import type { AccountPath, NavigationEntry } from './navigation.ts';

/** Whose account area it is. */
export interface Resident {
  name: string;
  organization: { id: string; name: string };
  /** All that the person belongs to */
  organizations: readonly { id: string; name: string }[];
  /** ZIPs that wait for this person to decide; null for who does not */
  waiting: number | null;
}

export interface AccountContent {
  /** Where the navigation leads to it, or to the page that it lies beneath */
  path: AccountPath;
  /** Left out: as the navigation calls it */
  title?: string;
  /** Name of what was done just now, as the address tells it */
  done: string | null;
  resident: Resident;
  /** Style sheets and scripts of its own */
  assets?: readonly AssetName[];
  /** There is a map of MapLibre GL on it. */
  hasMap?: boolean;
  /** Above the title, and between it and what was done just now */
  before?: Html;
  beneath?: Html;
  main: Html;
}

export function accountPage(content: AccountContent, links: Links): string {
  const { path, title = labelOf(path), done, resident, assets = [], hasMap = false } = content;
  const { before, beneath, main } = content;
  return page(
    {
      title,
      description: 'Your account.',
      path: null,
      bar: accountBar(path, resident, links),
      assets: ['account/script.ts', ...assets],
      hasMap,
      main: html`<div class="account">
        ${before}
        <h1>${title}</h1>
        ${beneath} ${notice(done)} ${forOrganization(main, resident)}
      </div>`,
    },
    links,
  );
}

/** Name of the field by which each form tells whose page it stands on. */
export const FOR_ORGANIZATION = 'for-organization';

/** Who belongs to several may act for another one in the meantime, in another tab. */
function forOrganization({ text }: Html, { organization }: Resident): Html {
  const field = html`<input type="hidden" name="${FOR_ORGANIZATION}" value="${organization.id}" />`;
  return new Html(text.replaceAll(/<form\s[^>]*method="post"[^>]*>/g, `$&${field.text}`));
}

/** A page with one thing to do. */
export function entrancePage(
  {
    title,
    done = null,
    assets = [],
    main,
  }: { title: string; done?: string | null; assets?: readonly AssetName[]; main: Html },
  links: Links,
): string {
  return page(
    {
      title,
      description: `${title}.`,
      path: null,
      assets,
      main: html`<div class="entrance">
        <h1>${title}</h1>
        ${notice(done)} ${main}
      </div>`,
    },
    links,
  );
}

function notice(done: string | null) {
  const text = noticeText(done);
  return text && html`<p class="notice" role="status">${text}</p>`;
}

function accountBar(current: AccountPath, resident: Resident, links: Links): Html {
  const group = groupOf(current);
  return html`<section class="account-bar" aria-label="Account area">
    <div>
      <nav aria-label="Account">${navigation(NAVIGATION, group.path, 'true', links, resident)}</nav>
      <div class="who">
        ${organization(resident, links)}
        <form method="post" action="${links.page('/logout')}" class="inline">
          <span class="quiet">${resident.name}</span>
          <button class="quiet-button">Sign out</button>
        </form>
      </div>
      ${
        group.pages.length > 1 &&
        html`<nav aria-label="${group.label}" class="beneath">
          ${navigation(group.pages, current, 'page', links)}
        </nav>`
      }
    </div>
  </section>`;
}

/**
 * @param kind how the current entry is told: it is the page, or what leads to it
 * @param resident given: beside the review queue stands how much waits there
 */
function navigation(
  entries: readonly NavigationEntry[],
  current: string,
  kind: 'page' | 'true',
  links: Links,
  resident?: Resident,
): Html {
  return html`<ul>
    ${entries.map(
      ({ path, label }) =>
        html`<li>
          <a href="${links.page(path)}" ${path === current && html`aria-current="${kind}"`}
            >${label}${path === QUEUE_PATH && waiting(resident)}</a
          >
        </li>`,
    )}
  </ul>`;
}

const QUEUE_PATH = '/account/reviews' satisfies AccountPath;

const waiting = (resident: Resident | undefined) =>
  !!resident?.waiting &&
  html`<span class="badge"
    ><span class="visually-hidden">, </span>${count(resident.waiting)}<span class="visually-hidden">
      waiting</span
    ></span
  >`;

/** Who belongs to several chooses for which to act. */
function organization(resident: Resident, links: Links): Html {
  const { id, name } = resident.organization;
  if (resident.organizations.length < 2) return html`<strong>${name}</strong>`;
  return html`<form method="post" action="${links.page('/account/organization')}" class="inline">
    <label class="visually-hidden" for="acting-for">Organisation</label>
    <select id="acting-for" name="organization">
      ${resident.organizations.map(
        (one) =>
          html`<option value="${one.id}" ${one.id === id && html`selected`}>${one.name}</option>`,
      )}
    </select>
    <button class="quiet-button">Switch</button>
  </form>`;
}
