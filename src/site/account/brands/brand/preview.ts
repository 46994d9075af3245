/** The preview of a change: its effect, a map, and the form that makes it. */
import type { Brand } from '../../../../territory/brands.ts';
import type { Effect } from '../../../../territory/effect.ts';
import { FormState } from '../../../form-state.ts';
import { textArea } from '../../../forms.ts';
import { html, type Html, type HtmlValue } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { AccountContent } from '../../frame.ts';
import { territoryFrame, type MapBase } from '../../map/view.ts';
import { refusalNotice } from '../../refusal-notice.ts';
import { withheldNotice } from '../../withheld-notice.ts';
import { cautions, effectTable } from './effect.ts';
import { brandPageOf, brandPath } from './frame.ts';

/** What the previews of additions and removals have in common */
export interface ChangePreview {
  brand: Brand;
  effect: Effect;
  map: MapBase;
  /** Key of this preview: a form sent twice changes nothing twice */
  once: string;
  /** Why the viewer can't make the change; undefined if they can */
  refusal: string | undefined;
}

export interface ChangeText {
  kind: 'added' | 'removed';
  under: '/add' | '/remove';
  title: string;
  lead: Html;
  warnings: readonly (string | false)[];
  /** ZIP codes that would change */
  zips: readonly string[];
  /** Heading of the figures after the change */
  afterHeading: string;
  /** The form; false if there is nothing to change */
  form:
    | { title: string; text: string; remark: Parameters<typeof textArea>[0]; button: Html }
    | false;
  /** Lists of the ZIP codes, below */
  groups: HtmlValue;
}

export function changePreviewPage(
  { brand, effect, map, once, refusal }: ChangePreview,
  { kind, under, title, lead, warnings, zips, afterHeading, form, groups }: ChangeText,
  links: Links,
): AccountContent {
  const shown = [kind, 'live', 'pending', 'shared', 'isolated'] as const;
  const data = links.page(brandPath(brand, '/map.json'));
  const cancel = html`<a href="${links.page(brandPath(brand))}">Cancel</a>`;
  const main = html`<p class="lead">${lead}</p>
    ${cautions(warnings)}
    <section class="map-section" aria-label="Map of the change">
      ${territoryFrame({ ...map, shown, data, [kind]: zips }, links)}
    </section>
    <div class="columns preview">
      <section aria-labelledby="effect-title">
        <h3 id="effect-title">Effect</h3>
        ${effectTable(effect, afterHeading)}
        ${effect.withheld && withheldNotice('Households and balance', effect.withheld, links)}
      </section>
      <section>
        ${
          form && refusal === undefined
            ? html`<h3>${form.title}</h3>
                <p>${form.text}</p>
                <form
                  method="post"
                  action="${links.page(brandPath(brand, `${under}/send`))}"
                  data-once
                >
                  <input type="hidden" name="zips" value="${zips.join(' ')}" />
                  <input type="hidden" name="once" value="${once}" />
                  ${textArea(form.remark, FormState.EMPTY)}
                  <p class="actions">${form.button} ${cancel}</p>
                </form>`
            : html`${form && refusalNotice(refusal)}
                <p>${cancel}</p>`
        }
      </section>
    </div>
    ${groups}`;
  const assets = ['account/brands/brand/script.ts'] as const;
  return brandPageOf({ brand, under, title, assets, hasMap: true, main }, links);
}
