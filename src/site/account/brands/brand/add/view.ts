/** Adding ZIPs to a brand: the ways to name them, and what it would mean before it is asked for. */
import type { ApplyOutcome } from '../../../../../territory/apply.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES } from '../../../../../territory/discover.ts';
import type { Effect } from '../../../../../territory/effect.ts';
import type { PastedZips } from '../../../../../territory/pasted-zips.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../../../territory/zip-list.ts';
import { counted, listed } from '../../../../../words.ts';
import { count } from '../../../../format.ts';
import { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { brandPageOf, brandPath, type BrandPage } from '../frame.ts';
import { cautions, effectTable, zipGroup } from '../effect.ts';
import { textArea } from '../../../text-area.ts';
import { territoryFrame, type MapGround } from '../../../map/view.ts';

export const ADD_FORMS = {
  preview: '/account/brands/{brand}/add',
  send: '/account/brands/{brand}/add/send',
} as const;

export interface AddContent extends BrandPage {
  form: FormState;
  /** Why nothing can be changed; undefined: it can */
  hindrance: string | undefined;
}

export function addPage(content: AddContent, links: Links): string {
  const { brand, form, hindrance } = content;
  const main = html`${wholeProblem(form)}
    <p>
      Click ZIP codes on <a href="${links.page(brandPath(brand))}">the map</a>, or name them here.
      You see what it would mean before anything is sent; then a reviewer decides.
    </p>
    ${hindrance !== undefined && hindranceNotice(hindrance)}
    <div class="columns">
      <section aria-labelledby="list-title">
        <h2 id="list-title">As a list</h2>
        <form method="post" action="${links.page(brandPath(brand, '/add'))}" class="wide-form">
          ${textArea(
            {
              name: 'zips',
              label: 'ZIP codes',
              hint: `Up to ${count(MAX_ZIPS_PER_CHANGE)}, from a mail or a table: whatever stands between them.`,
              rows: 8,
              required: true,
            },
            form.of(ADD_FORMS.preview),
          )}
          <button class="button">Preview</button>
        </form>
      </section>
      <section aria-labelledby="radius-title">
        <h2 id="radius-title">By a radius</h2>
        ${radiusForm(brand, form.of(ADD_FORMS.preview), false, links)}
      </section>
    </div>`;
  return brandPageOf({ ...content, under: '/add', main }, links);
}

/**
 * ZIPs whose middle is within so many miles.
 * @param hasMap the page has one: a point of it may be picked, and what is found is selected there
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
    <p class="hint">A ZIP counts where its middle is within the circle.</p>
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

/** In place of what cannot be done. */
export const hindranceNotice = (hindrance: string): Html =>
  html`<p class="notice">You can look at it, but not change it. ${hindrance}</p>`;

/** What was named, and how it was read. */
export interface AddGiven extends PastedZips {
  /** `within 5 miles of 75201`; null: by name */
  how: string | null;
}

export interface AddPreview extends BrandPage {
  given: AddGiven;
  outcome: ApplyOutcome;
  effect: Effect;
  map: MapGround;
  note: string;
  /** Of this preview: what is sent twice is done once */
  once: string;
  hindrance: string | undefined;
}

export function addPreviewPage(preview: AddPreview, links: Links): string {
  const { brand, given, outcome, effect, map } = preview;
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
  const sharing = shared.map((zip) => `${zip} (${sharedWith.get(zip)?.join(', ')})`);
  const alone = newlyIsolated.filter((zip) => queued.includes(zip));
  const main = html`${lead(preview)}
    ${cautions([
      shared.length > 0 && `Another brand of yours holds too: ${listed(sharing, 12)}.`,
      alone.length > 0 && `Would border no other ZIP of the brand: ${listed(alone, 12)}.`,
      noLongerIsolated.length > 0 &&
        `Would not be isolated any more: ${listed(noLongerIsolated, 12)}.`,
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
      <h3 id="read-title" class="visually-hidden">What was read</h3>
      <div class="zip-groups">
        ${zipGroup('To be reviewed', queued)}
        ${zipGroup('Live already', alreadyLive, 'Left as they are.')}
        ${zipGroup('In review already', alreadyPending, 'Left as they are.')}
        ${zipGroup('Without an area', unknown, 'PO boxes and single buildings have none, and cannot be territory. Or there is no such ZIP.')}
        ${entries(
          'Guessed',
          given.guessed.map(({ given: text, zip, reason }) => [`${text} → ${zip}`, reason]),
        )}
        ${entries(
          'Not understood',
          given.notUnderstood.map(({ given: text, reason }) => [text, reason]),
        )}
      </div>
    </section>`;
  const title = 'Add ZIP codes: preview';
  return brandPageOf(
    { ...preview, under: '/add', title, assets: ['account/brands/script.ts'], hasMap: true, main },
    links,
  );
}

function lead({ given, outcome }: AddPreview): Html {
  const { queued } = outcome;
  const how = given.how === null ? '' : ` ${given.how}`;
  return queued.length > 0
    ? html`<p class="lead">
        ${counted(queued.length, 'ZIP code')}${how} would be sent to review. Nothing is sent yet.
      </p>`
    : html`<p class="lead">
        There is nothing to ask for${how && ` ${how}`}: the brand holds all of them already.
      </p>`;
}

function sendForm(
  { brand, outcome, note, once, hindrance }: AddPreview,
  links: Links,
): Html | false {
  const { queued } = outcome;
  const back = html`<a href="${links.page(brandPath(brand))}">Not now</a>`;
  if (queued.length === 0) return html`<p>${back}</p>`;
  if (hindrance !== undefined)
    return html`${hindranceNotice(hindrance)}
      <p>${back}</p>`;
  return html`<h3>Send to review</h3>
    <p>A reviewer of your organisation decides. Until then the ZIP codes are pending, not live.</p>
    <form method="post" action="${links.page(brandPath(brand, '/add/send'))}" data-once>
      <input type="hidden" name="zips" value="${queued.join(' ')}" />
      <input type="hidden" name="once" value="${once}" />
      ${textArea(
        {
          name: 'note',
          label: 'Note (optional)',
          hint: 'Why: the reviewer reads it.',
          value: note,
          rows: 3,
          maxlength: 500,
        },
        FormState.EMPTY,
      )}
      <p class="actions">
        <button class="button">Send ${counted(queued.length, 'ZIP code')} to review</button> ${back}
      </p>
    </form>`;
}

/** Told one by one: nothing that was pasted is lost. */
function entries(title: string, rows: readonly (readonly [string, string])[]): Html | false {
  const SHOWN = 200;
  return (
    rows.length > 0 &&
    html`<div class="zip-group">
      <h3>${title} <span class="quiet">${count(rows.length)}</span></h3>
      <ul class="entries">
        ${rows
          .slice(0, SHOWN)
          .map(
            ([text, reason]) =>
              html`<li>
                <code class="breakable">${text}</code> <span class="quiet">${reason}</span>
              </li>`,
          )}
        ${rows.length > SHOWN && html`<li>And ${count(rows.length - SHOWN)} more.</li>`}
      </ul>
    </div>`
  );
}
