/** The effect of a change on a territory: figures before and after, and warnings. */
import type { Effect, TerritorySummary } from '../../../../../territories/brands/effect.ts';
import {
  formatCount,
  formatSignedPercent,
  joinFirst,
  pluralize,
} from '../../../../../base/text/words.ts';
import { html, type Html } from '../../../html.ts';
import { tableHead, wideTable } from '../../../parts.ts';

const ROWS: readonly [
  name: string,
  figure: (territory: TerritorySummary) => string,
  meaning: string,
][] = [
  ['ZIP codes', ({ zips }) => formatCount(zips), ''],
  ['Households', ({ households }) => formatCount(households), 'In these ZIP codes'],
  ['Pieces', ({ pieces }) => formatCount(pieces), 'Separate parts. 1 means contiguous'],
  ['Holes', ({ holes }) => formatCount(holes), 'Areas that the territory surrounds'],
  ['Gaps', ({ gaps }) => formatCount(gaps), 'ZIP codes that the territory mostly surrounds'],
  [
    'Isolated',
    ({ isolated }) => formatCount(isolated),
    'Not adjacent to another ZIP code of the brand',
  ],
  ['Shared', ({ shared }) => formatCount(shared), 'Also held by another of your brands'],
  [
    'Balance',
    ({ balance }) => (balance ? formatSignedPercent(balance.deviationPct) : '–'),
    'Households compared with the mean of your brands',
  ],
];

/**
 * @param afterHeading heading of the figures after the change
 * @param counted the ZIP codes that count as held before the change
 */
export function effectTable(
  { before, after }: Effect,
  afterHeading: string,
  counted = 'Live or pending',
): Html {
  const row = ([name, figure, meaning]: (typeof ROWS)[number]) => {
    const [now, later] = [figure(before), figure(after)];
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="number">${now}</td>
      <td class="number">
        ${now === later ? html`<span class="quiet">${later}</span>` : html`<strong>${later}</strong>`}
      </td>
      <td class="quiet">${meaning || counted}</td>
    </tr>`;
  };
  const table = html`<table class="measures">
    ${tableHead('Measure', ['Now', 'number'], [afterHeading, 'number'], 'What it means')}
    <tbody>
      ${ROWS.map(row)}
    </tbody>
  </table>`;
  return wideTable('Effect on the territory', table);
}

/** A group of ZIP codes. A long list is collapsed. */
export function zipGroup(title: string, zips: readonly string[], note?: string): Html | false {
  const FEW = 24;
  if (zips.length === 0) return false;
  const list = html`<span class="zip-list">${zips.join(' ')}</span>`;
  return html`<div class="zip-group">
    <h3>${title} <span class="quiet">${formatCount(zips.length)}</span></h3>
    ${note && html`<p class="hint">${note}</p>`}
    ${
      zips.length <= FEW
        ? html`<p>${list}</p>`
        : html`<details>
            <summary>
              ${pluralize(zips.length, 'ZIP code')}: ${zips.slice(0, 4).join(', ')} …
            </summary>
            <p>${list}</p>
          </details>`
    }
  </div>`;
}

/** Warnings about ZIP codes that the change isolates or leaves out. */
export const openingWarnings = ({ newHoles, newGaps }: Effect): readonly (string | false)[] => [
  newHoles.length > 0 && `Leaves a hole in the territory: ${joinFirst(newHoles, 12)}.`,
  newGaps.length > 0 && `Leaves gaps, mostly surrounded: ${joinFirst(newGaps, 12)}.`,
];

/** Warnings about a change. */
export function cautions(lines: readonly (string | false)[]): Html | false {
  const warnings = lines.filter((line) => line !== false);
  return (
    warnings.length > 0 &&
    html`<ul class="cautions">
      ${warnings.map((line) => html`<li>${line}</li>`)}
    </ul>`
  );
}
