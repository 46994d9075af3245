/** Removing ZIPs of a brand: which, and what it would mean before it is done. */
import type { Effect } from '../../../../../territory/effect.ts';
import type { RemovePlan } from '../../../../../territory/remove.ts';
import { counted, listed } from '../../../../../words.ts';
import { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { hindranceNotice } from '../add/view.ts';
import { brandPageOf, brandPath, type BrandPage } from '../frame.ts';
import { cautions, effectTable, zipGroup } from '../effect.ts';
import { textArea } from '../../../text-area.ts';
import { territoryFrame, type MapGround } from '../../../map/view.ts';

export const REMOVE_FORMS = {
  preview: '/account/brands/{brand}/remove',
  send: '/account/brands/{brand}/remove/send',
} as const;

export interface RemoveContent extends BrandPage {
  form: FormState;
  hindrance: string | undefined;
}

export function removePage(content: RemoveContent, links: Links): string {
  const { brand, form, hindrance } = content;
  const main = html`${wholeProblem(form)} ${hindrance !== undefined && hindranceNotice(hindrance)}
    <form method="post" action="${links.page(brandPath(brand, '/remove'))}" class="wide-form">
      ${textArea(
        {
          name: 'zips',
          label: 'ZIP codes',
          hint: 'You see what it would mean before anything is removed.',
          rows: 8,
          required: true,
        },
        form.of(REMOVE_FORMS.preview),
      )}
      <button class="button">Preview</button>
    </form>`;
  return brandPageOf({ ...content, under: '/remove', title: 'Remove ZIP codes', main }, links);
}

export interface RemovePreview extends BrandPage {
  plan: RemovePlan;
  /** Live and pending ones, in order */
  removed: readonly string[];
  effect: Effect;
  map: MapGround;
  once: string;
  hindrance: string | undefined;
}

export function removePreviewPage(preview: RemovePreview, links: Links): string {
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
      ${counted(removed.length, 'ZIP code')} would be removed from ${brand.name}. Nothing is removed
      yet.
    </p>
    ${cautions([
      cutOff.length > 0 &&
        `The territory would be torn apart, from ${counted(before.pieces, 'piece')} into ${after.pieces}. Cut off from the rest: ${listed(cutOff, 12)}.`,
      newlyIsolated.length > 0 &&
        `Would border no other ZIP of the brand any more: ${listed(newlyIsolated, 12)}.`,
      plan.pending.length > 0 &&
        `${counted(plan.pending.length, 'review')} would be withdrawn: nobody has decided about ${listed(plan.pending, 12)} yet.`,
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
      ${zipGroup('To be removed, live', plan.live)}
      ${zipGroup('To be removed, in review', plan.pending)}
      ${zipGroup('Not held', plan.notHeld, 'Left as they are.')}
    </div>`;
  const title = 'Remove ZIP codes: preview';
  return brandPageOf(
    {
      ...preview,
      under: '/remove',
      title,
      assets: ['account/brands/script.ts'],
      hasMap: true,
      main,
    },
    links,
  );
}

function removeForm({ brand, removed, once, hindrance }: RemovePreview, links: Links): Html {
  const back = html`<a href="${links.page(brandPath(brand))}">Keep them</a>`;
  if (hindrance !== undefined)
    return html`${hindranceNotice(hindrance)}
      <p>${back}</p>`;
  return html`<h3>Remove</h3>
    <p>It needs no review and holds at once. It can be undone, once.</p>
    <form method="post" action="${links.page(brandPath(brand, '/remove/send'))}" data-once>
      <input type="hidden" name="zips" value="${removed.join(' ')}" />
      <input type="hidden" name="once" value="${once}" />
      ${textArea(
        {
          name: 'reason',
          label: 'Reason (optional)',
          hint: 'Kept in the history.',
          rows: 2,
          maxlength: 500,
        },
        FormState.EMPTY,
      )}
      <p class="actions">
        <button class="button danger">Remove ${counted(removed.length, 'ZIP code')}</button> ${back}
      </p>
    </form>`;
}
