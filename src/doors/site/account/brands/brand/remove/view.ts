/** The form that removes ZIP codes, and the preview of its effect. */
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import type { Effect } from '../../../../../../territories/brands/effect.ts';
import type { RefusedZips } from '../../../../../../territories/brands/groups/refusal-words.ts';
import type { PastedZips } from '../../../../../../territories/brands/pasted-zips.ts';
import type { RemovableZips } from '../../../../../../territories/brands/remove.ts';
import { joinFirst, pluralize } from '../../../../../../base/text/words.ts';
import { FormState } from '../../../../form-state.ts';
import { textArea, wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import { records } from '../../../../records.ts';
import type { Links } from '../../../../links.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../../workspace/link.ts';
import { cautions, effectTable, openingWarnings, zipGroup } from '../effect.ts';

export const REMOVE_FORMS = {
  preview: '/account/brands/{brand}/remove',
  send: '/account/brands/{brand}/remove/send',
} as const;

interface RemoveContent {
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
          hint: 'ZIP codes, ranges such as 75201-75205, and prefixes such as 752*. You see a preview before anything is removed.',
          rows: 8,
        },
        form.of(REMOVE_FORMS.preview),
      )}
      <button class="button">Preview</button>
    </form>`;
  return brandPageOf({ brand, under: '/remove', title: 'Remove ZIP codes', main }, links);
}

interface RemovePreview {
  brand: Brand;
  removable: RemovableZips;
  /** Live and pending ZIP codes, sorted */
  removed: readonly string[];
  /** Entries of the list that were guessed or not understood */
  doubts: PastedZips['doubts'];
  effect: Effect;
  /** ZIP codes that undoing the removal couldn’t restore, by reason */
  lost: readonly RefusedZips[];
  /** Key of this preview, which keeps a form that is submitted twice from removing twice */
  once: string;
  /** Reason why the viewer can't remove ZIP codes; undefined if they can */
  refusal: string | undefined;
}

export function removePreviewPage(preview: RemovePreview, links: Links): AccountContent {
  const { brand, removable, removed, doubts, effect, refusal } = preview;
  const count = pluralize(removed.length, 'ZIP code');
  const main = html`<p class="lead">
      ${count} will be removed from ${brand.name}. Nothing has been removed yet.
    </p>
    ${cautions(warnings(preview))}
    <div class="columns preview">
      <section aria-labelledby="effect-title">
        <h3 id="effect-title">Effect</h3>
        ${effectTable(effect, 'If removed')}
        ${effect.withheld && withheldNotice('Households and balance', effect.withheld, links)}
      </section>
      <section>
        ${
          refusal === undefined
            ? removeForm(preview, links)
            : html`${refusalNotice(refusal)}
                <p>${cancel(brand, links)}</p>`
        }
      </section>
    </div>
    <div class="zip-groups">
      ${zipGroup('To remove: live', removable.live)}
      ${zipGroup('To remove: pending review', removable.pending)}
      ${zipGroup('Not held', removable.notHeld, 'Not changed.')}
    </div>
    ${doubts.length > 0 && doubtTable(doubts)}`;
  return brandPageOf(
    {
      brand,
      under: '/remove',
      title: 'Remove ZIP codes: preview',
      main,
      assets: ['account/brands/brand/script.ts'],
    },
    links,
  );
}

const doubtTable = (doubts: RemovePreview['doubts']): Html =>
  html`<section aria-labelledby="doubts-title">
    <h3 id="doubts-title">Guessed or not understood</h3>
    ${records(
      'Entries',
      [
        { heading: 'Entry', cell: ({ given }) => html`<code class="breakable">${given}</code>` },
        { heading: 'ZIP codes', cell: ({ zips }) => joinFirst(zips, 12) || '–' },
        { heading: 'Why', cell: ({ reason }) => reason },
      ],
      doubts,
    )}
  </section>`;

function warnings({ removable, effect, lost }: RemovePreview): (string | false)[] {
  const { newlyIsolated, cutOff, before, after } = effect;
  return [
    cutOff.length > 0 &&
      `Splits the territory from ${pluralize(before.pieces, 'piece')} into ${after.pieces}. Cut off: ${joinFirst(cutOff, 12)}.`,
    ...openingWarnings(effect),
    newlyIsolated.length > 0 && `Would become isolated: ${joinFirst(newlyIsolated, 12)}.`,
    removable.pending.length > 0 &&
      `Withdraws ${pluralize(removable.pending.length, 'pending review')}: ${joinFirst(removable.pending, 12)}.`,
    ...lost.map(
      ({ reason, zips }) => `Undoing this can’t restore ${joinFirst(zips, 12)}: ${reason}.`,
    ),
  ];
}

function removeForm({ brand, removed, once }: RemovePreview, links: Links): Html {
  const onMap = workspaceLink({ brand: brand.slug, zips: removed }, links);
  return html`<h3>Remove</h3>
    <p>
      Removals take effect immediately, without review. You can undo this removal once.
      ${
        removed.length <= MAX_ZIPS_IN_LINK &&
        html`<a href="${onMap}">See ${removed.length === 1 ? 'it' : 'them'} on the map</a> first.`
      }
    </p>
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
          optional: true,
        },
        FormState.EMPTY,
      )}
      <p class="actions">
        <button class="button grave">Remove ${pluralize(removed.length, 'ZIP code')}</button>
        ${cancel(brand, links)}
      </p>
    </form>`;
}

const cancel = (brand: Brand, links: Links): Html =>
  html`<a href="${links.page(brandPath(brand))}">Cancel</a>`;
