/** An organization's own weights for a vertical, next to the public ones, with a preview. */
import { isWithheld, type LimitReason } from '../../../../people/metering/figures.ts';
import type { OwnSignal, SignalId } from '../../../../data/scoring/signals.ts';
import { VERTICALS } from '../../../../data/scoring/verticals.ts';
import type {
  Percentages,
  PreviewedZip,
  TargetingPreview,
} from '../../../../territories/brands/targeting/preview.ts';
import { MAX_WEIGHT, type RankedAmong } from '../../../../territories/brands/targeting/profile.ts';
import type { FormState } from '../../form-state.ts';
import { menuOptions, wholeProblem, type MenuChoice } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { scoreChip, tableHead } from '../../parts.ts';
import type { AccountContent } from '../frame.ts';
import { withheldNotice } from '../withheld-notice.ts';
import { ownScoreOf, scoreOf } from '../../workspace/browser/measures.ts';
import { WORKSPACE_PATH } from '../../workspace/link.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';

export const TARGETING_PATH = '/account/targeting';
export const VERTICAL_PATH = '/account/targeting/{vertical}';
export const RESET_PATH = `${VERTICAL_PATH}/reset`;
export const PREVIEW_PATH = `${VERTICAL_PATH}/preview`;

export const targetingAddress = (vertical: string, path: string = VERTICAL_PATH) =>
  path.replace('{vertical}', encodeURIComponent(vertical));

/** Name of a signal's form field */
export const fieldOf = (signal: SignalId | OwnSignal) => `weight-${signal}`;

/** Name of the form field that says among which ZIP codes own data is ranked */
export const AMONG_FIELD = 'among';

export interface OfferedSignal {
  id: SignalId | OwnSignal;
  label: string;
  kind: keyof typeof KINDS;
}

export interface TargetingContent {
  organization: { name: string };
  form: FormState;
  vertical: { slug: string; label: string };
  signals: readonly OfferedSignal[];
  among: RankedAmong;
  /** Whether the organization has saved its own weights */
  isOwn: boolean;
  weights: Percentages;
  publicWeights: Percentages;
  areas: readonly { label: string; areas: readonly MenuChoice[] }[];
  /** Value of the previewed area */
  area: string;
  /** The preview, or the reason why there is none */
  preview: TargetingPreview | LimitReason;
  maySave: boolean;
}

export function targetingPage(content: TargetingContent, links: Links): AccountContent {
  const { organization, form, vertical, isOwn, maySave } = content;
  const at = (path: string) => links.page(targetingAddress(vertical.slug, path));
  const main = html`<p>
      Targeting ranks ZIP codes by the weights of ${organization.name}, or by the public weights if
      none are saved. Only the ratio between weights matters. A negative weight favors ZIP codes
      with a low value. Public scores don’t change.
    </p>
    ${wholeProblem(form)} ${verticals(vertical.slug, links)}
    <form
      method="post"
      action="${at(VERTICAL_PATH)}"
      class="targeting"
      data-preview="${at(PREVIEW_PATH)}"
    >
      <div class="columns">
        <section aria-labelledby="weights">
          <h2 id="weights">
            ${vertical.label}<span class="tag">${isOwn ? 'Own weights' : 'Public weights'}</span>
          </h2>
          ${weightRows(content, form)} ${amongField(content)}
          <p class="sum" data-sum></p>
          <p class="first" role="status" data-status></p>
          ${
            maySave
              ? html`<div class="actions">
                  <button class="button" name="do" value="save">Save weights</button>
                  <button type="button" class="quiet-button" data-public hidden>
                    Use public weights
                  </button>
                </div>`
              : html`<p class="quiet">
                  You can preview weights. Only owners and admins can save them.
                </p>`
          }
        </section>
        <section aria-labelledby="preview">
          <h2 id="preview">Preview</h2>
          ${areaField(content)}
          <div data-table>${previewOrReason(content.preview, links)}</div>
          <p><a href="${mapAddress(content, links)}">Show the saved scores on the map</a></p>
        </section>
      </div>
    </form>
    ${isOwn && maySave && resetForm(vertical.label, at(RESET_PATH))}`;
  const assets = ['account/targeting/style.css', 'account/targeting/script.ts'] as const;
  return { path: TARGETING_PATH, assets, main };
}

/** The workspace, colored by the scores that the saved weights give */
const mapAddress = ({ vertical: { slug }, isOwn }: TargetingContent, links: Links) =>
  `${links.page(WORKSPACE_PATH)}?${new URLSearchParams({
    color: isOwn ? ownScoreOf(slug) : scoreOf(slug),
  })}`;

function verticals(current: string, links: Links): Html {
  return html`<nav aria-label="Vertical" class="choosing">
    <ul>
      ${VERTICALS.map(
        ({ slug, label }) =>
          html`<li>
            <a
              href="${links.page(targetingAddress(slug))}"
              ${slug === current && html`aria-current="page"`}
              >${label}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** Signals with a weight, own or public, largest first. The others are folded. */
function weightRows(content: TargetingContent, form: FormState): Html {
  const { weights, publicWeights } = content;
  const size = ({ id }: OfferedSignal) =>
    Math.max(Math.abs(publicWeights[id] ?? 0), Math.abs(weights[id] ?? 0));
  const signals = content.signals.toSorted((a, b) => size(b) - size(a));
  const used = signals.filter((signal) => size(signal) > 0 || form.problem(fieldOf(signal.id)));
  const others = signals.filter((signal) => !used.includes(signal));
  const row = (signal: OfferedSignal) => weightRow(signal, content, form);
  const folded = (some: readonly OfferedSignal[], summary: string) =>
    some.length > 0 &&
    html`<details>
      <summary>${summary}</summary>
      ${some.map(row)}
    </details>`;
  const [own, census] = [true, false].map((isOwn) =>
    others.filter(({ kind }) => (kind === 'own') === isOwn),
  ) as [OfferedSignal[], OfferedSignal[]];
  return html`<p class="legend">
      <span class="key"><i class="fill-3"></i> Your weight</span>
      <span class="key"><i class="public-mark"></i> Public weight</span>
    </p>
    ${used.map(row)} ${folded(census, pluralize(census.length, 'more signal'))}
    ${folded(own, `${pluralize(own.length, 'signal')} from your own data`)}`;
}

/** What own data is ranked among, once there is some. */
function amongField({ signals, among }: TargetingContent): Html | false {
  if (!signals.some(({ kind }) => kind === 'own')) return false;
  const choice = (value: RankedAmong, text: string) =>
    html`<label class="choice">
      <input
        type="radio"
        name="${AMONG_FIELD}"
        value="${value}"
        ${value === among && html`checked`}
      />
      ${text}
    </label>`;
  return html`<fieldset class="among">
    <legend>Rank your own data among</legend>
    ${choice('nation', 'All ZIP codes of the country. Where you have no rows, a sum is 0.')}
    ${choice('data', 'The ZIP codes with an amount. Elsewhere, the other signals decide if they have half of the weight.')}
  </fieldset>`;
}

function weightRow(
  { id, label, kind }: OfferedSignal,
  { weights, publicWeights }: TargetingContent,
  form: FormState,
): Html {
  const name = fieldOf(id);
  const value = form.value(name, String(weights[id] ?? 0));
  const publicWeight = publicWeights[id] ?? 0;
  const problem = form.problem(name);
  return html`<div class="weight" data-public="${publicWeight}">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">
      ${KINDS[kind]}.
      ${kind !== 'own' && `Public weight: ${publicWeight === 0 ? 'not used' : withMinusSign(publicWeight)}`}
    </p>
    ${weightChart(shareOf(weights, weights[id] ?? 0), publicWeight)}
    <input
      type="range"
      min="-${MAX_WEIGHT}"
      max="${MAX_WEIGHT}"
      step="1"
      value="${value}"
      aria-label="${label}, as a slider"
      hidden
    />
    <input
      id="${name}"
      name="${name}"
      type="number"
      min="-${MAX_WEIGHT}"
      max="${MAX_WEIGHT}"
      step="0.1"
      value="${value}"
      inputmode="decimal"
      aria-describedby="${name}-hint ${problem && `${name}-problem`}"
      ${problem && html`aria-invalid="true" autofocus`}
    />
    ${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </div>`;
}

const KINDS = {
  volume: 'Market size',
  propensity: 'Likelihood to buy',
  own: 'Your own data',
} as const;

const withMinusSign = (value: number) => String(value).replace('-', '−');

/** A signal's share of all weights, in percent: the entered weights need not sum to 100. */
function shareOf(weights: Percentages, weight: number): number {
  const sum = Object.values(weights).reduce((total, weight) => total + Math.abs(weight), 0);
  return sum === 0 ? 0 : (100 * weight) / sum;
}

/** The percentage at either end of the chart. Positive weights extend to the right of the center. */
const MAX_SHOWN = 60;

function weightChart(own: number, publicWeight: number): Html {
  const length = (value: number) => (50 * Math.min(Math.abs(value), MAX_SHOWN)) / MAX_SHOWN;
  const barStart = (value: number) => (value < 0 ? 50 - length(value) : 50);
  const mark = publicWeight < 0 ? barStart(publicWeight) : 50 + length(publicWeight);
  return html`<svg class="part" width="100%" height="14" aria-hidden="true">
    <line class="grid" x1="50%" x2="50%" y1="0" y2="14" />
    <rect class="fill-3" x="${barStart(own)}%" y="3" width="${length(own)}%" height="8" />
    ${publicWeight !== 0 && html`<line class="public-mark" x1="${mark}%" x2="${mark}%" y1="0" y2="14" />`}
  </svg>`;
}

function areaField({ areas, area }: TargetingContent): Html {
  return html`<div class="field area">
    <label for="area">Area</label>
    <div class="copy-line">
      <select id="area" name="area">
        ${areas.map(
          (group) =>
            html`<optgroup label="${group.label}">${menuOptions(group.areas, area)}</optgroup>`,
        )}
      </select>
      <button class="quiet-button" name="do" value="preview">Preview</button>
    </div>
  </div>`;
}

const previewOrReason = (preview: TargetingContent['preview'], links: Links): Html =>
  isWithheld(preview) ? withheldNotice('The preview', preview, links) : previewTable(preview);

export function previewTable({ rows, total, vintage }: TargetingPreview): Html {
  if (rows.length === 0) {
    return html`<p class="quiet">Not enough data to score any ZIP code.</p>`;
  }
  return html`<table class="ranking">
      <caption>
        Top ${formatCount(rows.length)} of ${formatCount(total)} ZIP codes
      </caption>
      ${tableHead(['Rank', 'number'], 'ZIP code', 'Place', ['Score', 'number'], ['Saved rank', 'number'])}
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td class="number">${formatCount(row.rank)}</td>
              <th scope="row">${row.zip}</th>
              <td>${[row.city, row.state].filter(Boolean).join(', ')}</td>
              <td class="number">${scoreChip(row.score)}</td>
              <td class="number">${movement(row)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="source">Source: ${vintage}.</p>`;
}

/** The rank with the saved weights, and the change. */
function movement({ rank, rankNow }: PreviewedZip): Html {
  if (rankNow === null) return html`<span class="quiet">none</span>`;
  const steps = rankNow - rank;
  if (steps === 0) return html`${formatCount(rankNow)} <span class="moved"></span>`;
  const [sign, word, kind] = steps > 0 ? ['▲', 'up', 'rise'] : ['▼', 'down', 'fall'];
  return html`${formatCount(rankNow)}
    <span class="moved ${kind}"
      ><span class="visually-hidden">${word} </span
      ><span aria-hidden="true">${sign}</span>${formatCount(Math.abs(steps))}</span
    >`;
}

function resetForm(label: string, action: string): Html {
  return html`<details class="ending">
    <summary>Reset to the public weights…</summary>
    <form method="post" action="${action}">
      <p>The weights for ${label} will be reset for everyone in the organization.</p>
      <button class="button grave">Reset weights</button>
    </form>
  </details>`;
}
