/** The form that adds ZIP codes, and the preview of their effect. */
import type { ApplyOutcome } from '../../../../../territory/apply.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import { MAX_RADIUS_MILES, MIN_RADIUS_MILES } from '../../../../../territory/discover.ts';
import type { PastedZips } from '../../../../../territory/pasted-zips.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../../../territory/validate-zips.ts';
import { asSentence, formatCount, joinFirst, pluralize } from '../../../../../words.ts';
import type { FormState } from '../../../../form-state.ts';
import { menuOptions, textArea, wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import { refusalNotice } from '../../../refusal-notice.ts';
import type { Links } from '../../../../links.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf, brandPath } from '../frame.ts';
import { openingWarnings, zipGroup } from '../effect.ts';
import { changePreviewPage, type ChangePreview } from '../preview.ts';

export const ADD_FORMS = {
  preview: '/account/brands/{brand}/add',
  send: '/account/brands/{brand}/add/send',
} as const;

export interface AddContent {
  brand: Brand;
  form: FormState;
  /** Whether there is a routing server */
  hasDrives: boolean;
  /** Why the viewer can't change the territory; undefined if they can */
  refusal: string | undefined;
}

export function addPage(content: AddContent, links: Links): AccountContent {
  const { brand, form, hasDrives, refusal } = content;
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
            },
            form.of(ADD_FORMS.preview),
          )}
          <button class="button">Preview</button>
        </form>
      </section>
      <section aria-labelledby="radius-title">
        <h2 id="radius-title">${reachTitle('By', hasDrives)}</h2>
        ${radiusForm(brand, form.of(ADD_FORMS.preview), { hasMap: false, hasDrives }, links)}
      </section>
    </div>`;
  return brandPageOf({ brand, under: '/add', main }, links);
}

export const reachTitle = (verb: string, hasDrives: boolean) =>
  `${verb} radius${hasDrives ? ' or drive time' : ''}`;

const UNITS = [
  { value: 'miles', label: 'miles' },
  { value: 'minutes', label: 'minutes by car' },
];

interface RadiusFormOptions {
  /** Whether the page has a map on which to pick the center and select the result */
  hasMap: boolean;
  /** Whether there is a routing server */
  hasDrives: boolean;
}

/** A form for the ZIP codes whose center is within a radius or a drive. */
export function radiusForm(
  brand: Brand,
  form: FormState,
  { hasMap, hasDrives }: RadiusFormOptions,
  links: Links,
): Html {
  const problem = form.problem('around');
  return html`<form
    method="post"
    action="${links.page(brandPath(brand, '/add'))}"
    class="radius"
    data-within="${links.page(brandPath(brand, '/within.json'))}"
  >
    <div class="radius-fields">
      <label for="reach">Within</label>
      <input
        id="reach"
        name="reach"
        type="number"
        min="${MIN_RADIUS_MILES}"
        max="${MAX_RADIUS_MILES}"
        step="0.1"
        value="${form.value('reach', '5')}"
        required
      />
      ${
        hasDrives &&
        html`<select name="unit" aria-label="Unit">
          ${menuOptions(UNITS, form.value('unit'))}
        </select>`
      }
      <span class="around">
        <label for="around">${!hasDrives && 'miles '}of ZIP code</label>
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
      </span>
      <input type="hidden" name="lat" /><input type="hidden" name="lng" />
      ${
        hasMap &&
        html`<button type="button" class="quiet-button pick" aria-pressed="false" hidden>
          or pick a point on the map
        </button>`
      }
    </div>
    ${problem && html`<p class="problem" id="around-problem">${problem}</p>`}
    <p class="hint">
      Includes the ZIP codes whose center is within the
      radius${hasDrives && ' or the drive. Drive times are without traffic'}.
    </p>
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

export interface AddPreview extends ChangePreview {
  entered: EnteredZips;
  outcome: ApplyOutcome;
  note: string;
}

export function addPreviewPage(preview: AddPreview, links: Links): AccountContent {
  const { entered, outcome, effect, note } = preview;
  const { queued, alreadyLive, alreadyPending, unknownReasons, shared } = outcome;
  const { newlyIsolated, noLongerIsolated, sharedWith } = effect;
  const namesOf = (zip: string) => sharedWith.get(zip)?.map(({ name }) => name) ?? [];
  const sharing = shared.map((zip) => `${zip} (${namesOf(zip).join(', ')})`);
  const isolated = newlyIsolated.filter((zip) => queued.includes(zip));
  const count = pluralize(queued.length, 'ZIP code');
  const radius = entered.radius === null ? '' : ` ${entered.radius}`;
  return changePreviewPage(
    preview,
    {
      kind: 'added',
      under: '/add',
      title: 'Add ZIP codes: preview',
      lead:
        queued.length > 0
          ? html`${count}${radius} will be sent to review. Nothing has been sent yet.`
          : html`No new ZIP codes${radius}: the brand already holds all of them.`,
      warnings: [
        shared.length > 0 && `Also held by another of your brands: ${joinFirst(sharing, 12)}.`,
        ...openingWarnings(effect),
        isolated.length > 0 && `Would be isolated: ${joinFirst(isolated, 12)}.`,
        noLongerIsolated.length > 0 &&
          `Would no longer be isolated: ${joinFirst(noLongerIsolated, 12)}.`,
      ],
      zips: queued,
      afterHeading: 'If approved',
      form: queued.length > 0 && {
        title: 'Send to review',
        text: 'The ZIP codes are pending until a reviewer of your organization approves them.',
        remark: {
          name: 'note',
          label: 'Note (optional)',
          hint: 'For the reviewer: why you want these ZIP codes.',
          value: note,
          rows: 3,
          maxlength: 500,
          optional: true,
        },
        button: html`<button class="button">Send ${count} to review</button>`,
      },
      groups: html`<section aria-labelledby="read-title">
        <h3 id="read-title" class="visually-hidden">Entered ZIP codes</h3>
        <div class="zip-groups">
          ${zipGroup('To review', queued)} ${zipGroup('Already live', alreadyLive, 'Not changed.')}
          ${zipGroup('Already pending review', alreadyPending, 'Not changed.')}
          ${unknownReasons.map(({ reason, zips }) => zipGroup('Can’t be added', zips, asSentence(reason)))}
          ${entries(
            'Guessed',
            entered.guessed.map(({ given: text, zip, reason }) => [`${text} → ${zip}`, reason]),
          )}
          ${entries(
            'Not understood',
            entered.notUnderstood.map(({ given: text, reason }) => [text, reason]),
          )}
        </div>
      </section>`,
    },
    links,
  );
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
