/** Table of average scores by launched metro and vertical, shaded by value. */
import { formatTenths } from '../../base/text/words.ts';
import { html, type Html } from './html.ts';
import type { Links } from './links.ts';
import { wideTable } from './parts.ts';
import type { Study } from './study.ts';

const SHADES = 5;

export function heatTable({ verticals, metros }: Study, links: Links): Html {
  const averages = metros
    .flatMap((metro) => metro.verticals.map((v) => v.averageScore))
    .filter((value) => value !== null);
  const bounds = fifthBounds(averages);
  const shadeOf = (value: number) => bounds.filter((bound) => value >= bound).length;
  const labels = new Map(verticals.map((v) => [v.verticalSlug, v.verticalLabel]));
  const cell = (metroSlug: string, metroLabel: string, slug: string, score: number | null) =>
    score === null
      ? html`<td class="fill-none">${formatTenths(score)}</td>`
      : html`<td class="fill-${shadeOf(score)}">
          <a
            href="${links.metroVertical(metroSlug, slug)}"
            aria-label="${labels.get(slug)} in ${metroLabel}: ${Math.round(score)}"
            >${Math.round(score)}</a
          >
        </td>`;
  const table = html`<table class="heat">
    <thead>
      <tr>
        <th scope="col">Metro</th>
        ${verticals.map(
          (v) =>
            html`<th scope="col">
              <a href="${links.vertical(v.verticalSlug)}">${v.verticalLabel}</a>
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${metros.map(
        (metro) =>
          html`<tr>
            <th scope="row">${metro.metroLabel}</th>
            ${metro.verticals.map((v) =>
              cell(metro.metroSlug, metro.metroLabel, v.verticalSlug, v.averageScore),
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`<p>
      The average score of each metro’s ZIP codes. Half of the country’s ZIP codes score below 50.
      Select a number to see its map.
    </p>
    ${wideTable('Average scores by metro and vertical', table)}
    ${averages.length > 0 && legend(bounds)}`;
}

function legend(bounds: readonly number[]): Html {
  const texts = bounds.map(formatTenths);
  const labels = [
    `below ${texts[0]}`,
    ...texts.slice(1).map((to, i) => `${texts[i]} to ${to}`),
    `${texts.at(-1)} and above`,
  ];
  return html`<p class="legend">
    <span>Average score, in fifths of this table:</span>
    ${labels.map((label, i) => html`<span class="key"><i class="fill-${i}"></i>${label}</span>`)}
  </p>`;
}

/**
 * Returns the lower bounds of the second to the last fifth of the values. Averages are too similar for the
 * classes that color single scores.
 */
function fifthBounds(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from({ length: SHADES - 1 }, (_, i) => {
    return sorted[Math.floor(((i + 1) * sorted.length) / SHADES)]!;
  });
}
