/** Removals from a brand, and the results of undoing them. */
import type { Page } from '../../../../../../base/contract/paging.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import type { RefusedZips } from '../../../../../../territories/brands/groups/refusal-words.ts';
import type { Removal, Undo } from '../../../../../../territories/brands/removals.ts';
import type { UndoPreview } from '../../../../../../territories/brands/undo.ts';
import { joinFirst, pluralize } from '../../../../../../base/text/words.ts';
import type { FormState } from '../../../../form-state.ts';
import { buttonForm, wholeProblem } from '../../../../forms.ts';
import { actorText } from '../../../actor.ts';
import { pager } from '../../../filters.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { dayTag } from '../../../../parts.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';

export const UNDO_REMOVAL_PATH = '/account/brands/{brand}/undo';

interface RemovalsContent {
  brand: Brand;
  form: FormState;
  page: Page<Removal>;
  query: URLSearchParams;
  /** What an undo would not restore now, by the removal’s id */
  undo: ReadonlyMap<string, UndoPreview>;
  refusal: string | undefined;
}

export function removalsPage(content: RemovalsContent, links: Links): AccountContent {
  const { brand, form, page, query, refusal } = content;
  const main = html`${wholeProblem(form)}
    <p>
      Removals need no review. Each can be undone once, which restores its ZIP codes to their
      previous status.
    </p>
    ${refusalNotice(refusal)}
    ${
      page.rows.length > 0
        ? html`<ul class="trail removals">
            ${page.rows.map((removal) => entry(removal, content, links))}
          </ul>`
        : html`<p class="quiet">No removals yet.</p>`
    }
    ${pager(brandPath(brand, '/history'), query, page.nextCursor, links)}`;
  return brandPageOf({ brand, under: '/history', main }, links);
}

function entry(removal: Removal, { brand, undo, refusal }: RemovalsContent, links: Links): Html {
  const { id, at, by, summary, zips, undone, changeId } = removal;
  const preview = undo.get(id);
  const canUndo =
    changeId === null && !undone && refusal === undefined && preview?.restorable !== 0;
  return html`<li id="removal-${id}">
    <div>
      <p>${summary} <span class="quiet">${actorText(by)}, ${dayTag(at)}</span></p>
      ${
        zips.length > 20 &&
        html`<details>
          <summary>All ${pluralize(zips.length, 'ZIP code')}</summary>
          <p class="zip-list">${zips.join(' ')}</p>
        </details>`
      }
      ${
        changeId !== null &&
        html`<p>
          Part of <a href="${links.page(`/account/reviews/changes/${changeId}`)}">a change</a>,
          which is undone as one.
        </p>`
      }
      ${undone && undoResult(undone)}
      ${preview && notRestored('Can’t be restored now', preview.refused)}
    </div>
    ${canUndo && undoForm(brand, removal, links)}
  </li>`;
}

const notRestored = (label: string, refused: readonly RefusedZips[]): Html[] =>
  refused.map(({ reason, zips }) => html`<p>${label}: ${joinFirst(zips)}, ${reason}.</p>`);

export const undoForm = (brand: Brand, { id, zips }: Removal, links: Links): Html =>
  buttonForm(
    links.page(brandPath(brand, '/undo')),
    { removal: id },
    { label: 'Undo', about: `the removal of ${pluralize(zips.length, 'ZIP code')}` },
  );

function undoResult({ at, by, restored, left, refused, shared }: Undo): Html {
  return html`<div class="undone">
    <p>
      <strong>Undone.</strong> ${pluralize(restored.length, 'ZIP code')}
      restored${restored.length <= 20 && html`: ${joinFirst(restored)}`}.
      <span class="quiet">${actorText(by)}, ${dayTag(at)}</span>
    </p>
    ${left.length > 0 && html`<p>Already held again and left unchanged: ${joinFirst(left)}.</p>`}
    ${notRestored('Not restored', refused)}
    ${shared.length > 0 && html`<p>Now also held by another of your brands: ${joinFirst(shared)}.</p>`}
  </div>`;
}
