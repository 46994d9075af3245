/** The form that removes ZIP codes, and the preview of its effect. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { Effect } from '../../../../../territory/effect.ts';
import type { RemovePlan } from '../../../../../territory/remove.ts';
import { joinFirst, pluralize } from '../../../../../words.ts';
import { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { cautions, effectTable, zipGroup } from '../effect.ts';
import { textArea } from '../../../text-area.ts';
import { territoryFrame, type MapBase } from '../../../map/view.ts';

export const REMOVE_FORMS = {
  preview: '/account/brands/{brand}/remove',
  send: '/account/brands/{brand}/remove/send',
} as const;

export interface RemoveContent {
  brand: Brand;
  form: FormState;
  refusal: string | undefined;
}

export function removePage(content: RemoveContent, links: Links): AccountContent {
  const { brand, form, refusal } = content;
  const main = html`${wholeProblem(form)} ${refusalNotice(refusal)}
    <form method="post" action="${links.page(brandPath(brand, '/remove'))}" class="wide-form">
      ${textArea(
        {
          name: 'zips',
          label: 'ZIP codes',
          hint: 'You see a preview before anything is removed.',
          rows: 8,
          required: true,
        },
        form.of(REMOVE_FORMS.preview),
      )}
      <button class="button">Preview</button>
    </form>`;
  return brandPageOf({ brand, under: '/remove', title: 'Remove ZIP codes', main }, links);
}

export interface RemovePreview {
  brand: Brand;
  plan: RemovePlan;
  /** Live and pending ZIP codes, sorted */
  removed: readonly string[];
  effect: Effect;
  map: MapBase;
  once: string;
  refusal: string | undefined;
}

export function removePreviewPage(preview: RemovePreview, links: Links): AccountContent {
  const { brand, plan, removed, effect, map } = preview;
  const { newlyIsolated, cutOff, before, after } = effect;
  const frame = territoryFrame(
    {
      ...map,
      shown: ['removed', 'live', 'pending', 'shared', 'isolated'],
      data: links.page(brandPath(brand, '/map.json')),
      removed,
    },
    links,
  );
  const main = html`<p class="lead">
      ${pluralize(removed.length, 'ZIP code')} will be removed from ${brand.name}. Nothing has been
      removed yet.
    </p>
    ${cautions([
      cutOff.length > 0 &&
        `Splits the territory from ${pluralize(before.pieces, 'piece')} into ${after.pieces}. Cut off: ${joinFirst(cutOff, 12)}.`,
      newlyIsolated.length > 0 && `Would become isolated: ${joinFirst(newlyIsolated, 12)}.`,
      plan.pending.length > 0 &&
        `Withdraws ${pluralize(plan.pending.length, 'pending review')}: ${joinFirst(plan.pending, 12)}.`,
    ])}
    <section class="map-section" aria-label="Map of the change">${frame}</section>
    <div class="columns preview">
      <section aria-labelledby="effect-title">
        <h3 id="effect-title">Effect</h3>
        ${effectTable(effect, 'Removed')}
      </section>
      <section>${removeForm(preview, links)}</section>
    </div>
    <div class="zip-groups">
      ${zipGroup('To remove: live', plan.live)}
      ${zipGroup('To remove: pending review', plan.pending)}
      ${zipGroup('Not held', plan.notHeld, 'Not changed.')}
    </div>`;
  const title = 'Remove ZIP codes: preview';
  const assets = ['account/brands/brand/script.ts'] as const;
  return brandPageOf({ brand, under: '/remove', title, assets, hasMap: true, main }, links);
}

function removeForm({ brand, removed, once, refusal }: RemovePreview, links: Links): Html {
  const back = html`<a href="${links.page(brandPath(brand))}">Cancel</a>`;
  if (refusal !== undefined)
    return html`${refusalNotice(refusal)}
      <p>${back}</p>`;
  return html`<h3>Remove</h3>
    <p>Removals take effect immediately, without review. You can undo this removal once.</p>
    <form method="post" action="${links.page(brandPath(brand, '/remove/send'))}" data-once>
      <input type="hidden" name="zips" value="${removed.join(' ')}" />
      <input type="hidden" name="once" value="${once}" />
      ${textArea(
        {
          name: 'reason',
          label: 'Reason (optional)',
          hint: 'Shown in the activity log.',
          rows: 2,
          maxlength: 500,
        },
        FormState.EMPTY,
      )}
      <p class="actions">
        <button class="button danger">Remove ${pluralize(removed.length, 'ZIP code')}</button>
        ${back}
      </p>
    </form>`;
}
