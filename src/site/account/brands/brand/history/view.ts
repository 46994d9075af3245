/** What was removed from a brand, and what came of undoing it. */
import type { Page } from '../../../../../paging.ts';
import type { Removal, Undo } from '../../../../../territory/removals.ts';
import { counted, listed } from '../../../../../words.ts';
import { day } from '../../../../format.ts';
import type { FormState } from '../../../../form-state.ts';
import { buttonForm, wholeProblem } from '../../../../forms.ts';
import { actorText } from '../../../actor.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { hindranceNotice } from '../add/view.ts';
import { brandPageOf, brandPath, type BrandPage } from '../frame.ts';

export const UNDO_REMOVAL_PATH = '/account/brands/{brand}/undo';

export interface RemovalsContent extends BrandPage {
  form: FormState;
  page: Page<Removal>;
  cursor: string | undefined;
  hindrance: string | undefined;
}

export function removalsPage(content: RemovalsContent, links: Links): string {
  const { brand, form, page, cursor, hindrance } = content;
  const at = links.page(brandPath(brand, '/history'));
  const main = html`${wholeProblem(form)}
    <p>
      Removing needs no review, so each removal can be undone, once: its ZIP codes are again what
      they were.
    </p>
    ${hindrance !== undefined && hindranceNotice(hindrance)}
    ${
      page.rows.length > 0
        ? html`<ul class="trail removals">
            ${page.rows.map((removal) => entry(removal, content, links))}
          </ul>`
        : html`<p class="quiet">Nothing was removed yet.</p>`
    }
    ${
      (cursor !== undefined || page.nextCursor !== null) &&
      html`<p class="actions">
        ${cursor !== undefined && html`<a href="${at}">Latest</a>`}
        ${
          page.nextCursor !== null &&
          html`<a
            href="${at}?${new URLSearchParams({ cursor: page.nextCursor }).toString()}"
            rel="next"
            >Earlier</a
          >`
        }
      </p>`
    }`;
  return brandPageOf({ ...content, under: '/history', main }, links);
}

function entry(removal: Removal, { brand, hindrance }: RemovalsContent, links: Links): Html {
  const { id, at, by, summary, zips, undone } = removal;
  return html`<li id="removal-${id}">
    <div>
      <p>${summary} <span class="quiet">${actorText(by)}, ${time(at)}</span></p>
      ${
        zips.length > 20 &&
        html`<details>
          <summary>All ${counted(zips.length, 'ZIP')}</summary>
          <p class="zip-list">${zips.join(' ')}</p>
        </details>`
      }
      ${undone && undoing(undone)}
    </div>
    ${!undone && hindrance === undefined && undoForm(brand, removal, links)}
  </li>`;
}

export const undoForm = (brand: BrandPage['brand'], { id, zips }: Removal, links: Links): Html =>
  buttonForm(
    links.page(brandPath(brand, '/undo')),
    { removal: id },
    { label: 'Undo', about: `the removal of ${counted(zips.length, 'ZIP')}` },
  );

function undoing({ at, by, restored, left, shared }: Undo): Html {
  return html`<div class="undone">
    <p>
      <strong>Undone.</strong> ${counted(restored.length, 'ZIP')} given
      back${restored.length <= 20 && html`: ${listed(restored)}`}.
      <span class="quiet">${actorText(by)}, ${time(at)}</span>
    </p>
    ${left.length > 0 && html`<p>Held again by then, and left as they were: ${listed(left)}.</p>`}
    ${shared.length > 0 && html`<p>Another brand of yours holds too by now: ${listed(shared)}.</p>`}
  </div>`;
}

const time = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${day(at.toISOString())}</time>`;
