/** What a change makes of a territory: figures before and after, and what to mind. */
import type { Effect, TerritorySummary } from '../../../../territory/effect.ts';
import { counted } from '../../../../words.ts';
import { count } from '../../../format.ts';
import { html, type Html } from '../../../html.ts';
import { wideTable } from '../../../parts.ts';

const ROWS: readonly [
  name: string,
  figure: (standing: TerritorySummary) => string,
  meaning: string,
][] = [
  ['ZIP codes', ({ zips }) => count(zips), 'Held: live or pending'],
  ['Households', ({ households }) => count(households), 'In all of them'],
  ['Pieces', ({ pieces }) => count(pieces), 'Parts that touch no other part; 1 is contiguous'],
  ['Isolated', ({ isolated }) => count(isolated), 'Border no other ZIP of the brand'],
  ['Shared', ({ shared }) => count(shared), 'Another brand of yours holds them too'],
  [
    'Balance',
    ({ balance }) => (balance ? signed(balance.deviationPct) : '–'),
    'Households against the mean of your brands',
  ],
];

const signed = (pct: number) => `${pct > 0 ? '+' : ''}${pct} %`;

export function effectTable({ before, after }: Effect, then: string): Html {
  const row = ([name, figure, meaning]: (typeof ROWS)[number]) => {
    const [now, later] = [figure(before), figure(after)];
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="number">${now}</td>
      <td class="number">
        ${now === later ? html`<span class="quiet">${later}</span>` : html`<strong>${later}</strong>`}
      </td>
      <td class="quiet">${meaning}</td>
    </tr>`;
  };
  const table = html`<table class="measures">
    <thead>
      <tr>
        <th scope="col">Measure</th>
        <th scope="col" class="number">Now</th>
        <th scope="col" class="number">${then}</th>
        <th scope="col">What it means</th>
      </tr>
    </thead>
    <tbody>
      ${ROWS.map(row)}
    </tbody>
  </table>`;
  return wideTable('Effect on the territory', table);
}

/** ZIPs by what became of them, the first in sight and all of them to be opened. */
export function zipGroup(title: string, zips: readonly string[], note?: string): Html | false {
  const FEW = 24;
  if (zips.length === 0) return false;
  const list = html`<span class="zip-list">${zips.join(' ')}</span>`;
  return html`<div class="zip-group">
    <h3>${title} <span class="quiet">${count(zips.length)}</span></h3>
    ${note && html`<p class="hint">${note}</p>`}
    ${
      zips.length <= FEW
        ? html`<p>${list}</p>`
        : html`<details>
            <summary>${counted(zips.length, 'ZIP')}: ${zips.slice(0, 4).join(', ')} …</summary>
            <p>${list}</p>
          </details>`
    }
  </div>`;
}

/** What speaks against a change, or wants to be known of it. */
export function cautions(lines: readonly (string | false)[]): Html | false {
  const told = lines.filter((line) => line !== false);
  return (
    told.length > 0 &&
    html`<ul class="cautions">
      ${told.map((line) => html`<li>${line}</li>`)}
    </ul>`
  );
}
