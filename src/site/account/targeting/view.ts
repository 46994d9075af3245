/** The organisation's own weights for a vertical, beside the public ones, and what they rank first. */
import { SIGNALS, type SignalId } from '../../../scoring/signals.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import type { PreviewedZip, TargetingPreview } from '../../../territory/targeting-preview.ts';
import { count } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { scoreChip } from '../../parts.ts';
import { accountPage, type Resident } from '../frame.ts';

export const TARGETING_PATH = '/account/targeting';
export const VERTICAL_PATH = '/account/targeting/{vertical}';
export const RESET_PATH = `${VERTICAL_PATH}/reset`;
export const PREVIEW_PATH = `${VERTICAL_PATH}/preview`;

export const targetingAddress = (vertical: string, path: string = VERTICAL_PATH) =>
  path.replace('{vertical}', encodeURIComponent(vertical));

/** Name of a signal's field. */
export const fieldOf = (signal: SignalId) => `weight-${signal}`;

/** By signal: hundredths of the sum, below zero where few are favoured, 0 where it does not count */
type Percentages = Readonly<Record<SignalId, number>>;

export interface TargetingContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  vertical: { slug: string; label: string };
  /** Whether the organisation has weights of its own */
  own: boolean;
  weights: Percentages;
  publicWeights: Percentages;
  areas: readonly { label: string; areas: readonly { value: string; label: string }[] }[];
  /** Value of the one that the preview is of */
  area: string;
  /** Or why there is none */
  preview: TargetingPreview | string;
  maySave: boolean;
}

export function targetingPage(content: TargetingContent, links: Links): string {
  const { resident, done, form, vertical, own, maySave } = content;
  const at = (path: string) => links.page(targetingAddress(vertical.slug, path));
  const main = html`<p>
      Targeting ranks ZIP codes by ${resident.organization.name}’s own weights where it has set
      them, else by the public ones. Only the ratios of weights count; one below zero favours ZIP
      codes that rank low in the signal. Public scores stay as they are.
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
            ${vertical.label}<span class="tag">${own ? 'Own weights' : 'Public weights'}</span>
          </h2>
          ${weightRows(content, form)}
          <p class="sum" data-sum></p>
          <p class="first" role="status" data-status></p>
          ${
            maySave
              ? html`<div class="actions">
                  <button class="button" name="do" value="save">Save the weights</button>
                  <button type="button" class="quiet-button" data-public hidden>
                    Put in the public ones
                  </button>
                </div>`
              : html`<p class="quiet">Owners and admins save weights; you may try them.</p>`
          }
        </section>
        <section aria-labelledby="preview">
          <h2 id="preview">What they rank first</h2>
          ${areaField(content)}
          <div data-table>${previewOrWhy(content.preview)}</div>
        </section>
      </div>
    </form>
    ${own && maySave && resetting(vertical.label, at(RESET_PATH))}`;
  return accountPage(
    {
      path: TARGETING_PATH,
      done,
      resident,
      assets: ['account/targeting.css', 'account/targeting/script.ts'],
      main,
    },
    links,
  );
}

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

/** The signals that count here or for everybody, the heaviest first; the others can be had. */
function weightRows(content: TargetingContent, form: FormState): Html {
  const { weights, publicWeights } = content;
  const size = (signal: SignalId) =>
    Math.max(Math.abs(publicWeights[signal]), Math.abs(weights[signal]));
  const signals = (Object.keys(SIGNALS) as SignalId[]).sort((a, b) => size(b) - size(a));
  const counting = signals.filter((signal) => size(signal) > 0 || form.problem(fieldOf(signal)));
  const others = signals.filter((signal) => !counting.includes(signal));
  const row = (signal: SignalId) => weightRow(signal, content, form);
  return html`<p class="legend">
      <span class="key"><i class="fill-3"></i> Your part of the score</span>
      <span class="key"><i class="public-mark"></i> The public one</span>
    </p>
    ${counting.map(row)}
    ${
      others.length > 0 &&
      html`<details>
        <summary>${count(others.length)} more signals</summary>
        ${others.map(row)}
      </details>`
    }`;
}

function weightRow(
  signal: SignalId,
  { weights, publicWeights }: TargetingContent,
  form: FormState,
): Html {
  const { label, kind } = SIGNALS[signal];
  const name = fieldOf(signal);
  const value = form.value(name, String(weights[signal]));
  const open = publicWeights[signal];
  const problem = form.problem(name);
  return html`<div class="weight" data-public="${open}">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">
      ${KINDS[kind]}. Public: ${open === 0 ? 'does not count' : signed(open)}
    </p>
    ${partChart(part(weights, signal), open)}
    <input
      type="range"
      min="-100"
      max="100"
      step="1"
      value="${value}"
      aria-label="${label}, as a slider"
      hidden
    />
    <input
      id="${name}"
      name="${name}"
      type="number"
      min="-100"
      max="100"
      step="0.1"
      value="${value}"
      inputmode="decimal"
      aria-describedby="${name}-hint ${problem && `${name}-problem`}"
      ${problem && html`aria-invalid="true" autofocus`}
    />
    ${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
  </div>`;
}

const KINDS = { volume: 'How many could buy', propensity: 'How likely they are to' } as const;

/** With a minus that is one */
const signed = (value: number) => String(value).replace('-', '−');

/** Hundredths of all that counts: what was filled in need not sum to a hundred. */
function part(weights: Percentages, signal: SignalId): number {
  const sum = Object.values(weights).reduce((total, weight) => total + Math.abs(weight), 0);
  return sum === 0 ? 0 : (100 * weights[signal]) / sum;
}

/** From the middle, to the right for weights above zero; half of it is 60 hundredths. */
const HALF = 60;

function partChart(own: number, open: number): Html {
  const length = (value: number) => (50 * Math.min(Math.abs(value), HALF)) / HALF;
  const from = (value: number) => (value < 0 ? 50 - length(value) : 50);
  const mark = open < 0 ? from(open) : 50 + length(open);
  return html`<svg class="part" width="100%" height="14" aria-hidden="true">
    <line class="grid" x1="50%" x2="50%" y1="0" y2="14" />
    <rect class="fill-3" x="${from(own)}%" y="3" width="${length(own)}%" height="8" />
    ${open !== 0 && html`<line class="public-mark" x1="${mark}%" x2="${mark}%" y1="0" y2="14" />`}
  </svg>`;
}

function areaField({ areas, area }: TargetingContent): Html {
  return html`<div class="field area">
    <label for="area">In</label>
    <div class="copy-line">
      <select id="area" name="area">
        ${areas.map(
          (group) =>
            html`<optgroup label="${group.label}">
              ${group.areas.map(
                ({ value, label }) =>
                  html`<option value="${value}" ${value === area && html`selected`}>
                    ${label}
                  </option>`,
              )}
            </optgroup>`,
        )}
      </select>
      <button class="quiet-button" name="do" value="preview" data-look>Look</button>
    </div>
  </div>`;
}

const previewOrWhy = (preview: TargetingPreview | string): Html =>
  typeof preview === 'string' ? html`<p class="quiet">${preview}</p>` : previewTable(preview);

export function previewTable({ rows, total, vintage }: TargetingPreview): Html {
  if (rows.length === 0) {
    return html`<p class="quiet">Of no ZIP code there is enough known for a score.</p>`;
  }
  return html`<table class="ranking">
      <caption>
        The first ${count(rows.length)} of ${count(total)} ZIP codes
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">Rank</th>
          <th scope="col">ZIP code</th>
          <th scope="col">Place</th>
          <th scope="col" class="number">Score</th>
          <th scope="col" class="number">Now</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td class="number">${count(row.rank)}</td>
              <th scope="row">${row.zip}</th>
              <td>${[row.city, row.state].filter(Boolean).join(', ')}</td>
              <td class="number">${scoreChip(row.score)}</td>
              <td class="number">${movement(row)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="source">“Now” is the rank by the saved weights. Source: ${vintage}.</p>`;
}

/** Where it stands by the weights that count now, and how far it would come. */
function movement({ rank, rankNow }: PreviewedZip): Html {
  if (rankNow === null) return html`<span class="quiet">none</span>`;
  const steps = rankNow - rank;
  if (steps === 0) return html`${count(rankNow)} <span class="moved"></span>`;
  const [sign, word, kind] = steps > 0 ? ['▲', 'up', 'rise'] : ['▼', 'down', 'fall'];
  return html`${count(rankNow)}
    <span class="moved ${kind}"
      ><span class="visually-hidden">${word} </span><span aria-hidden="true">${sign}</span>${count(
        Math.abs(steps),
      )}</span
    >`;
}

function resetting(label: string, action: string): Html {
  return html`<details class="ending">
    <summary>Reset to the public weights…</summary>
    <form method="post" action="${action}">
      <p>The organisation’s own weights for ${label} are given up, for everybody in it.</p>
      <button class="button grave">Reset them</button>
    </form>
  </details>`;
}
