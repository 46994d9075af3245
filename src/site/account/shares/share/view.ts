/** One share link: what to send and what to embed, how it looks, and its end. */
import { embedCode, type ShareRecord } from '../../../../agent/share-record.ts';
import { VERTICALS } from '../../../../scoring/verticals.ts';
import type { ShareLink } from '../../../../share/links.ts';
import { day } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { copyable, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { accountPage, type Resident } from '../../frame.ts';

export const SHARE_PATH = '/account/shares/{share}';
export const REVOKE_SHARE_PATH = '/account/shares/{share}/revoke';

/** Where a link is looked after, from the site's root. */
export const shareAddress = (code: string) => SHARE_PATH.replace('{share}', code);

export interface ShareContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  link: ShareLink;
  /** With its addresses */
  record: ShareRecord;
  /** Why this person may not revoke it; undefined: may */
  hindrance: string | undefined;
}

export function sharePage(content: ShareContent, links: Links): string {
  const { resident, done, form, link } = content;
  const main = html`<p><a href="${links.page('/account/shares')}">All share links</a></p>
    ${wholeProblem(form)} ${facts(link)}
    ${link.status === 'active' ? opened(content, links) : closed(link)}`;
  return accountPage(
    {
      path: '/account/shares',
      title: shareTitle(link),
      done,
      resident,
      assets: ['account/shares.css'],
      main,
    },
    links,
  );
}

export const shareTitle = ({ title, brand }: Pick<ShareLink, 'title' | 'brand'>) =>
  title ?? brand.name;

export const verticalLabel = (slug: string | null): string | undefined =>
  VERTICALS.find((vertical) => vertical.slug === slug)?.label;

/** `Open until …`, `Expired …`, `Revoked …` */
export function stateOfShare({ status, expiresAt, revokedAt }: ShareLink): Html {
  const on = (date: Date) =>
    html`<time datetime="${date.toISOString()}">${day(date.toISOString())}</time>`;
  if (status === 'active') return html`<span>Open until ${on(expiresAt)}</span>`;
  if (status === 'expired') return html`<span class="quiet">Expired ${on(expiresAt)}</span>`;
  return html`<span class="quiet">Revoked ${on(revokedAt ?? expiresAt)}</span>`;
}

function facts(link: ShareLink): Html {
  const { brand, kind, vertical, hideBranding, createdBy, createdAt, frozenAt } = link;
  const fact = (term: string, told: Html | string) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${told}</dd>
    </div>`;
  return html`<dl class="facts">
    ${fact('Brand', hideBranding ? html`${brand.name} <span class="tag">Not named</span>` : brand.name)}
    ${fact('Shows', kind === 'brand' ? 'What the brand holds' : `What it held on ${day(frozenAt!.toISOString())}`)}
    ${vertical && fact('For', verticalLabel(vertical) ?? vertical)}
    ${fact('Made', `${day(createdAt.toISOString())} by ${createdBy.name}`)}
    ${fact('State', stateOfShare(link))}
  </dl>`;
}

function closed({ status }: ShareLink): Html {
  return html`<p>
    ${
      status === 'revoked'
        ? 'It was revoked: whoever opens it finds nothing. That cannot be undone.'
        : 'Its time is over: whoever opens it finds nothing.'
    }
    Share the map again to make another link.
  </p>`;
}

function opened(content: ShareContent, links: Links): Html {
  const { record } = content;
  return html`<p>
      This link is public: whoever has it sees the map, and can pass it on.
      <a href="${record.shareUrl}">Open it</a>
    </p>
    <div class="columns share">
      <section aria-label="Addresses">
        ${copyable('share-link', 'Link', record.shareUrl)}
        ${copyable('share-embed', 'Code to embed it in a page', embedCode(record), 'more')}
        ${IMAGES.map(({ id, label, size }) =>
          copyable(id, `Picture, ${label}`, `${record.mapImageUrl}?size=${size}`, 'more'),
        )}
        <p class="hint">
          Add <code>&amp;style=dark</code> or <code>muted</code> to a picture’s address for another
          look, and <code>&amp;ratio=2</code> for sharp screens.
        </p>
      </section>
      <section aria-label="Preview">${preview(content, links)} ${ending(content, links)}</section>
    </div>`;
}

/** Of the sizes that the interface draws, those with a purpose of their own */
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

/** In two steps: nobody opens it by a slip, and none can be opened again. */
function ending({ link, hindrance }: ShareContent, links: Links): Html {
  if (hindrance !== undefined) return html`<p class="quiet">${hindrance}</p>`;
  const action = links.page(REVOKE_SHARE_PATH.replace('{share}', link.code));
  return html`<details class="ending">
    <summary>Revoke the link…</summary>
    <form method="post" action="${action}">
      <p>
        Whoever has the link finds nothing any more, at once, also where the map is embedded. That
        cannot be undone.
      </p>
      <button class="button grave">Revoke it for good</button>
    </form>
  </details>`;
}
