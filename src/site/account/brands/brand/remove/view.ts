/** The form that removes ZIP codes, and the preview of its effect. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { RemovePlan } from '../../../../../territory/remove.ts';
import { joinFirst, pluralize } from '../../../../../words.ts';
import type { FormState } from '../../../../form-state.ts';
import { textArea, wholeProblem } from '../../../../forms.ts';
import { html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { openingWarnings, zipGroup } from '../effect.ts';
import { changePreviewPage, type ChangePreview } from '../preview.ts';

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
        },
        form.of(REMOVE_FORMS.preview),
      )}
      <button class="button">Preview</button>
    </form>`;
  return brandPageOf({ brand, under: '/remove', title: 'Remove ZIP codes', main }, links);
}

export interface RemovePreview extends ChangePreview {
  plan: RemovePlan;
  /** Live and pending ZIP codes, sorted */
  removed: readonly string[];
}

export function removePreviewPage(preview: RemovePreview, links: Links): AccountContent {
  const { brand, plan, removed, effect } = preview;
  const { newlyIsolated, cutOff, before, after } = effect;
  const count = pluralize(removed.length, 'ZIP code');
  return changePreviewPage(
    preview,
    {
      kind: 'removed',
      under: '/remove',
      title: 'Remove ZIP codes: preview',
      lead: html`${count} will be removed from ${brand.name}. Nothing has been removed yet.`,
      warnings: [
        cutOff.length > 0 &&
          `Splits the territory from ${pluralize(before.pieces, 'piece')} into ${after.pieces}. Cut off: ${joinFirst(cutOff, 12)}.`,
        ...openingWarnings(effect),
        newlyIsolated.length > 0 && `Would become isolated: ${joinFirst(newlyIsolated, 12)}.`,
        plan.pending.length > 0 &&
          `Withdraws ${pluralize(plan.pending.length, 'pending review')}: ${joinFirst(plan.pending, 12)}.`,
      ],
      zips: removed,
      afterHeading: 'If removed',
      form: {
        title: 'Remove',
        text: 'Removals take effect immediately, without review. You can undo this removal once.',
        remark: {
          name: 'reason',
          label: 'Reason (optional)',
          hint: 'Shown in the activity log.',
          rows: 2,
          maxlength: 500,
          optional: true,
        },
        button: html`<button class="button grave">Remove ${count}</button>`,
      },
      groups: html`<div class="zip-groups">
        ${zipGroup('To remove: live', plan.live)}
        ${zipGroup('To remove: pending review', plan.pending)}
        ${zipGroup('Not held', plan.notHeld, 'Not changed.')}
      </div>`,
    },
    links,
  );
}
