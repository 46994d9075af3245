/** A share link: its address, embed code, and pictures, and a form to revoke it. */
import { checkCode, embedCode, type ShareRecord } from '../../../../tools/support/share-record.ts';
import { VERTICALS } from '../../../../../data/scoring/verticals.ts';
import { shareCheckPath } from '../../../../../territories/share/token.ts';
import type { ShareLink } from '../../../../../territories/share/links.ts';
import { day } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { copyable, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { dayTag, definition } from '../../../parts.ts';
import type { AccountContent } from '../../frame.ts';

export const SHARE_PATH = '/account/shares/{share}';
export const REVOKE_SHARE_PATH = '/account/shares/{share}/revoke';

export const shareAddress = (code: string) => SHARE_PATH.replace('{share}', code);

interface ShareContent {
  form: FormState;
  link: ShareLink;
  /** The link with its addresses */
  record: ShareRecord;
  /** Reason why the viewer can't revoke it; undefined if they can */
  refusal: string | undefined;
}

export function sharePage(content: ShareContent, links: Links): AccountContent {
  const { form, link } = content;
  const main = html`<p><a href="${links.page('/account/shares')}">All share links</a></p>
    ${wholeProblem(form)} ${facts(link)}
    ${link.status === 'active' ? openLink(content, links) : closedLink(link)}`;
  const assets = ['account/shares/style.css'] as const;
  return { path: '/account/shares', title: shareTitle(link), assets, main };
}

export const shareTitle = ({ title, brand }: Pick<ShareLink, 'title' | 'brand'>) =>
  title ?? brand.name;

export const verticalLabel = (slug: string | null): string | undefined =>
  VERTICALS.find((vertical) => vertical.slug === slug)?.label;

export const shownTerritory = ({ frozenAt }: ShareLink): string =>
  frozenAt ? `The territory on ${day(frozenAt)}` : 'The current territory';

/** `Open until …`, `Expired …`, `Revoked …` */
export function shareStatus({
  status,
  expiresAt,
  revokedAt,
}: Pick<ShareLink, 'status' | 'expiresAt' | 'revokedAt'>): Html {
  if (status === 'active') return html`<span>Open until ${dayTag(expiresAt)}</span>`;
  if (status === 'expired') return html`<span class="quiet">Expired ${dayTag(expiresAt)}</span>`;
  return html`<span class="quiet">Revoked ${dayTag(revokedAt ?? expiresAt)}</span>`;
}

function facts(link: ShareLink): Html {
  const { brand, vertical, hideBranding, createdBy, createdAt } = link;
  return html`<dl class="facts">
    ${definition('Brand', hideBranding ? html`${brand.name} <span class="tag">Hidden</span>` : brand.name)}
    ${definition('Shows', shownTerritory(link))}
    ${vertical && definition('Vertical', verticalLabel(vertical) ?? vertical)}
    ${definition('Created', `${day(createdAt)} by ${createdBy.name}`)}
    ${definition('Status', shareStatus(link))}
  </dl>`;
}

function closedLink({ status }: ShareLink): Html {
  return html`<p>
    ${
      status === 'revoked'
        ? 'This link was revoked, which can’t be undone. The map can no longer be opened.'
        : 'This link has expired. The map can no longer be opened.'
    }
    Share the map again to get a new link.
  </p>`;
}

function openLink(content: ShareContent, links: Links): Html {
  const { record } = content;
  return html`<p>
      This link is public: anyone who has it can see the map and pass it on.
      <a href="${record.shareUrl}">Open the map</a>
    </p>
    <div class="columns share">
      <section aria-label="Link, embed code, and pictures">
        ${copyable('share-link', 'Link', record.shareUrl)}
        ${copyable('share-embed', 'Embed code', embedCode(record), 'more')}
        ${copyable('share-check', '“Do you serve my ZIP code?” for your site', checkCode(record), 'more')}
        <p class="hint">
          Customers enter a ZIP code and see whether you serve it.
          <a href="${links.page(shareCheckPath(record.code))}">Try it</a>
        </p>
        ${IMAGES.map(({ id, label, size }) =>
          copyable(id, `Picture, ${label}`, `${record.mapImageUrl}?size=${size}`, 'more'),
        )}
        <p class="hint">
          Add <code>&amp;style=dark</code> or <code>&amp;style=muted</code> to a picture’s address
          for another style, and <code>&amp;ratio=2</code> for high-resolution screens.
        </p>
      </section>
      <section aria-label="Preview">
        ${preview(content, links)} ${revokeForm(content, links)}
      </section>
    </div>`;
}

/** Common picture sizes */
const IMAGES = [
  { id: 'share-preview', label: 'for link previews, 1200 × 630', size: '1200x630' },
  { id: 'share-article', label: 'for articles, 1200 × 800', size: '1200x800' },
  { id: 'share-square', label: 'square, 800 × 800', size: '800x800' },
] as const;

function preview({ link }: ShareContent, links: Links): Html {
  const address = (style: string, ratio: 1 | 2) =>
    `${links.api(`/shared/${link.code}/map.png`)}?size=600x315&style=${style}&ratio=${ratio}`;
  const srcset = (style: string) => `${address(style, 1)} 1x, ${address(style, 2)} 2x`;
  return html`<figure class="map">
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset="${srcset('dark')}" />
      <img
        src="${address('light', 1)}"
        srcset="${srcset('light')}"
        width="600"
        height="315"
        alt="Map of the ZIP codes that the link shows"
      />
    </picture>
    <figcaption>What others see now</figcaption>
  </figure>`;
}

/** Takes two steps, because a revoked link can't be restored. */
function revokeForm({ link, refusal }: ShareContent, links: Links): Html {
  if (refusal !== undefined) return html`<p class="quiet">${refusal}</p>`;
  const action = links.page(REVOKE_SHARE_PATH.replace('{share}', link.code));
  return html`<details class="ending">
    <summary>Revoke this link…</summary>
    <form method="post" action="${action}">
      <p>The link and all embedded maps stop working immediately. This can’t be undone.</p>
      <button class="button grave">Revoke link</button>
    </form>
  </details>`;
}
