/** The form that adds ZIP codes, and the preview of their effect. */
import type { ApplyOutcome } from '../../../../../territory/apply.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES } from '../../../../../territory/discover.ts';
import type { Effect } from '../../../../../territory/effect.ts';
import type { PastedZips } from '../../../../../territory/pasted-zips.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../../../territory/validate-zips.ts';
import { formatCount, joinFirst, pluralize } from '../../../../../words.ts';
import { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { Links } from '../../../../links.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { cautions, effectTable, zipGroup } from '../effect.ts';
import { textArea } from '../../../text-area.ts';
import { territoryFrame, type MapBase } from '../../../map/view.ts';

export const ADD_FORMS = {
  preview: '/account/brands/{brand}/add',
  send: '/account/brands/{brand}/add/send',
} as const;

export interface AddContent {
  brand: Brand;
  form: FormState;
  /** Why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
}

export function addPage(content: AddContent, links: Links): AccountContent {
  const { brand, form, refusal } = content;
  const main = html`${wholeProblem(form)}
    <p>
      Select ZIP codes on <a href="${links.page(brandPath(brand))}">the map</a>, or enter them here.
      You see a preview before anything is sent to review.
    </p>
    ${refusalNotice(refusal)}
    <div class="columns">
      <section aria-labelledby="list-title">
        <h2 id="list-title">As a list</h2>
        <form method="post" action="${links.page(brandPath(brand, '/add'))}" class="wide-form">
          ${textArea(
            {
              name: 'zips',
              label: 'ZIP codes',
              hint: `Paste up to ${formatCount(MAX_ZIPS_PER_CHANGE)} ZIP codes in any format.`,
              rows: 8,
              required: true,
            },
            form.of(ADD_FORMS.preview),
          )}
          <button class="button">Preview</button>
        </form>
      </section>
      <section aria-labelledby="radius-title">
        <h2 id="radius-title">By radius</h2>
        ${radiusForm(brand, form.of(ADD_FORMS.preview), false, links)}
      </section>
    </div>`;
  return brandPageOf({ brand, under: '/add', main }, links);
}

/**
 * A form for the ZIP codes whose center is within a radius.
 * @param hasMap whether the page has a map on which to pick the center and select the result
 */
export function radiusForm(brand: Brand, form: FormState, hasMap: boolean, links: Links): Html {
  const problem = form.problem('around');
  return html`<form
    method="post"
    action="${links.page(brandPath(brand, '/add'))}"
    class="radius"
    data-within="${links.page(brandPath(brand, '/within.json'))}"
  >
    <div class="radius-fields">
      <label for="miles">Within</label>
      <input
        id="miles"
        name="miles"
        type="number"
        min="${MIN_RADIUS_MILES}"
        max="${MAX_RADIUS_MILES}"
        step="0.1"
        value="${form.value('miles', '5')}"
        required
      />
      <label for="around">miles of ZIP code</label>
      <input
        id="around"
        name="around"
        inputmode="numeric"
        pattern="[0-9]{5}"
        maxlength="5"
        placeholder="75201"
        value="${form.value('around')}"
        required
        ${problem && html`aria-invalid="true" aria-describedby="around-problem" autofocus`}
      />
      <input type="hidden" name="lat" /><input type="hidden" name="lng" />
      ${
        hasMap &&
        html`<button type="button" class="quiet-button pick" aria-pressed="false" hidden>
          or pick a point on the map
        </button>`
      }
    </div>
    ${problem && html`<p class="problem" id="around-problem">${problem}</p>`}
    <p class="hint">Includes the ZIP codes whose center is within the radius.</p>
    <p class="radius-do">
      ${
        hasMap &&
        html`<button type="button" class="button select-within" hidden>Select on the map</button>`
      }
      <button class="${hasMap ? 'quiet-button' : 'button'}">Preview</button>
      <span class="radius-status" role="status"></span>
    </p>
  </form>`;
}

/** The ZIP codes that were entered */
export interface EnteredZips extends PastedZips {
  /** `within 5 miles of 75201`; null for a list */
  radius: string | null;
}

export interface AddPreview {
  brand: Brand;
  entered: EnteredZips;
  outcome: ApplyOutcome;
  effect: Effect;
  map: MapBase;
  note: string;
  /** Key of this preview: a form sent twice changes nothing twice */
  once: string;
  refusal: string | undefined;
}

export function addPreviewPage(preview: AddPreview, links: Links): AccountContent {
  const { brand, entered, outcome, effect, map } = preview;
  const { queued, alreadyLive, alreadyPending, unknown, shared } = outcome;
  const { newlyIsolated, noLongerIsolated, sharedWith } = effect;
  const frame = territoryFrame(
    {
      ...map,
      shown: ['added', 'live', 'pending', 'shared', 'isolated'],
      data: links.page(brandPath(brand, '/map.json')),
      added: queued,
    },
    links,
  );
  const sharing = shared.map(
    (zip) =>
      `${zip} (${sharedWith
        .get(zip)
        ?.map(({ name }) => name)
        .join(', ')})`,
  );
  const isolated = newlyIsolated.filter((zip) => queued.includes(zip));
  const main = html`${lead(preview)}
    ${cautions([
      shared.length > 0 && `Also held by another of your brands: ${joinFirst(sharing, 12)}.`,
      isolated.length > 0 && `Would be isolated: ${joinFirst(isolated, 12)}.`,
      noLongerIsolated.length > 0 &&
        `Would no longer be isolated: ${joinFirst(noLongerIsolated, 12)}.`,
    ])}
    <section class="map-section" aria-label="Map of the change">${frame}</section>
    <div class="columns preview">
      <section aria-labelledby="effect-title">
        <h3 id="effect-title">Effect</h3>
        ${effectTable(effect, 'If approved')}
      </section>
      <section>${sendForm(preview, links)}</section>
    </div>
    <section aria-labelledby="read-title">
      <h3 id="read-title" class="visually-hidden">Entered ZIP codes</h3>
      <div class="zip-groups">
        ${zipGroup('To review', queued)} ${zipGroup('Already live', alreadyLive, 'Not changed.')}
        ${zipGroup('Already pending review', alreadyPending, 'Not changed.')}
        ${zipGroup('Without a boundary', unknown, 'These ZIP codes don’t exist or have no area, like those of PO boxes and single buildings. They can’t be part of a territory.')}
        ${entries(
          'Guessed',
          entered.guessed.map(({ given: text, zip, reason }) => [`${text} → ${zip}`, reason]),
        )}
        ${entries(
          'Not understood',
          entered.notUnderstood.map(({ given: text, reason }) => [text, reason]),
        )}
      </div>
    </section>`;
  const title = 'Add ZIP codes: preview';
  const assets = ['account/brands/brand/script.ts'] as const;
  return brandPageOf({ brand, under: '/add', title, assets, hasMap: true, main }, links);
}

function lead({ entered, outcome }: AddPreview): Html {
  const { queued } = outcome;
  const radius = entered.radius === null ? '' : ` ${entered.radius}`;
  return queued.length > 0
    ? html`<p class="lead">
        ${pluralize(queued.length, 'ZIP code')}${radius} will be sent to review. Nothing has been
        sent yet.
      </p>`
    : html`<p class="lead">No new ZIP codes${radius}: the brand already holds all of them.</p>`;
}

function sendForm({ brand, outcome, note, once, refusal }: AddPreview, links: Links): Html | false {
  const { queued } = outcome;
  const back = html`<a href="${links.page(brandPath(brand))}">Cancel</a>`;
  if (queued.length === 0) return html`<p>${back}</p>`;
  if (refusal !== undefined)
    return html`${refusalNotice(refusal)}
      <p>${back}</p>`;
  return html`<h3>Send to review</h3>
    <p>The ZIP codes are pending until a reviewer of your organization approves them.</p>
    <form method="post" action="${links.page(brandPath(brand, '/add/send'))}" data-once>
      <input type="hidden" name="zips" value="${queued.join(' ')}" />
      <input type="hidden" name="once" value="${once}" />
      ${textArea(
        {
          name: 'note',
          label: 'Note (optional)',
          hint: 'For the reviewer: why you want these ZIP codes.',
          value: note,
          rows: 3,
          maxlength: 500,
        },
        FormState.EMPTY,
      )}
      <p class="actions">
        <button class="button">Send ${pluralize(queued.length, 'ZIP code')} to review</button>
        ${back}
      </p>
    </form>`;
}

/** Entries that were guessed or not understood, each with its reason. */
function entries(title: string, rows: readonly (readonly [string, string])[]): Html | false {
  const SHOWN = 200;
  return (
    rows.length > 0 &&
    html`<div class="zip-group">
      <h3>${title} <span class="quiet">${formatCount(rows.length)}</span></h3>
      <ul class="entries">
        ${rows
          .slice(0, SHOWN)
          .map(
            ([text, reason]) =>
              html`<li>
                <code class="breakable">${text}</code> <span class="quiet">${reason}</span>
              </li>`,
          )}
        ${rows.length > SHOWN && html`<li>And ${formatCount(rows.length - SHOWN)} more.</li>`}
      </ul>
    </div>`
  );
}
