/** Elements that several pages share. */
import type { Complete, RankedZip } from '../../base/contract/resources.ts';
import type { PublicVerticalSummary } from '../../base/contract/vertical-resources.ts';
import { SAMPLE_VINTAGE } from '../../data/ingest/sample/facts.ts';
import { scoreFill } from './colors.ts';
import { day, minute } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { zipPath, type Links } from './links.ts';
import { placeName } from '../../base/text/words.ts';

type WeightedSignal = Complete<typeof PublicVerticalSummary>['signals'][number];

/** Source of the scores on a page */
interface Source {
  vintage: string;
  /** ISO 8601 */
  updatedAt: string;
}

/** States the source of the figures, and marks sample data clearly. */
export function sourceNote({ vintage, updatedAt }: Source): Html {
  const computed = html`Scores computed ${dayTag(updatedAt)}.`;
  return vintage === SAMPLE_VINTAGE
    ? html`<p class="source sample">
        <strong>${vintage}.</strong> The figures are synthetic. They show how the service works and
        say nothing about real places. ${computed}
      </p>`
    : html`<p class="source">Source: ${vintage}. ${computed}</p>`;
}

/** @param here label of this page, which is the last entry */
export function breadcrumbs(
  entries: readonly [path: string, label: string][],
  here: string,
  links: Links,
): Html {
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb">
    <ol>
      ${entries.map(([path, label]) => html`<li><a href="${links.page(path)}">${label}</a></li>`)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

/** https://schema.org/ItemList of pages */
export const itemList = (
  name: string,
  items: readonly { name: string; path: string }[],
  links: Links,
) => ({
  '@type': 'ItemList',
  name,
  itemListElement: items.map((item, i) => ({
    '@type': 'ListItem',
    position: i + 1,
    name: item.name,
    url: links.absolute(item.path),
  })),
});

/** A term and its description in a `<dl>`. */
export const definition = (term: HtmlValue, description: HtmlValue): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${description}</dd>
  </div>`;

/** A day that programs can read. In the account area, a script shows that of the reader’s time zone. */
export const dayTag = (at: Date | string): Html => localTime(at, 'day', day(at));

/** A time that programs can read. In the account area, a script shows it in the reader’s time zone. */
export const minuteTag = (at: Date | string): Html => localTime(at, 'minute', minute(new Date(at)));

const localTime = (at: Date | string, precision: 'day' | 'minute', text: string): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-local="${precision}">${text}</time>`;

/** The headings of a table's columns, with the CSS classes of the columns. */
export function tableHead(
  ...headings: readonly (string | readonly [heading: HtmlValue, columnClass: string])[]
): Html {
  return html`<thead>
    <tr>
      ${headings.map((each) => {
        const [heading, columnClass] = typeof each === 'string' ? [each] : each;
        return html`<th scope="col" ${columnClass && html`class="${columnClass}"`}>${heading}</th>`;
      })}
    </tr>
  </thead>`;
}

/** The heading of a column of bars, which only screen readers announce. */
export const barsHeading = (text: string) =>
  [html`<span class="visually-hidden">${text}</span>`, 'bars'] as const;

/** A table that scrolls horizontally on narrow screens. */
export function wideTable(label: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}

/** A horizontal bar. @param part share of the full width, from 0 to 1 */
export function bar(part: number, fill = 'fill-3'): Html {
  const width = (100 * part).toFixed(1);
  return html`<svg class="bar" width="100%" height="8" aria-hidden="true">
    <rect class="${fill}" width="${width}%" height="8" />
  </svg>`;
}

/** A score in its color on the maps. */
export function scoreChip(score: number): Html {
  return html`<span class="chip ${scoreFill(score)}">${score}</span>`;
}

/** The label of a signal, with a note if low values raise the score. */
export function signalName({ label, direction }: Pick<WeightedSignal, 'label' | 'direction'>) {
  return direction === 'lower' ? `${label} (lower is better)` : label;
}

/** @param zips ZIP codes in launched metros. Each row links to its page */
export function rankedZips(
  zips: readonly Complete<typeof RankedZip>[],
  caption: string,
  links: Links,
): Html {
  return html`<table class="ranking">
    <caption>
      ${caption}
    </caption>
    ${tableHead(['Rank', 'number'], 'ZIP code', 'Place', ['Score', 'number'])}
    <tbody>
      ${zips.map(
        ({ rank, zipCode, city, state, score }) =>
          html`<tr>
            <td class="number">${rank}</td>
            <th scope="row"><a href="${links.page(zipPath(zipCode))}">${zipCode}</a></th>
            <td>${placeName(city, state)}</td>
            <td class="number">${scoreChip(score)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
