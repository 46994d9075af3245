/** White space in and around a brand's territory: counts, the best ZIP codes with reasons, and links to the map. */
import { isWithheld } from '../../../../../../people/metering/figures.ts';
import { formatAmount, formatRate } from '../../../../../../territories/own-data/amount-text.ts';
import {
  DISTANCE_FIELDS,
  DISTANCE_LABELS,
} from '../../../../../../territories/own-data/place-distances.ts';
import {
  WHITE_SPACE_CLASSES,
  WHITE_SPACE_LABELS,
} from '../../../../../../territories/own-data/white-space.ts';
import { VERTICALS } from '../../../../../../data/scoring/verticals.ts';
import type {
  BrandWhiteSpace,
  WhiteSpaceZip,
} from '../../../../../../territories/brands/targeting/brand-white-space.ts';
import { formatCount, placeName, pluralize } from '../../../../../../base/text/words.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { tableHead, wideTable } from '../../../../parts.ts';
import { records, type Column } from '../../../../records.ts';
import { filterForm, filterSelect } from '../../../filters.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import { scoreOf } from '../../../../workspace/browser/measures.ts';
import { MAX_ZIPS_IN_LINK, workspaceLink } from '../../../../workspace/link.ts';
import { brandPath } from '../frame.ts';
import type { AnalysisContent } from './content.ts';

export function whiteSpaceSection(content: AnalysisContent, links: Links): Html | false {
  const { counts, whiteSpace } = content;
  if (counts.live + counts.pending === 0) return false;
  const { space } = whiteSpace;
  return html`<section id="white-space" aria-labelledby="white-space-title">
    <h2 id="white-space-title">White space</h2>
    ${
      space === null
        ? missing(links)
        : isWithheld(space)
          ? withheldNotice('White space', space, links)
          : shown(content, space, links)
    }
  </section>`;
}

const missing = (links: Links): Html =>
  html`<p>
    To see where demand is high and you sell little,
    <a href="${links.page('/account/data')}">upload your own jobs or revenue</a> in this area. The
    guide <a href="${links.page('/docs/own-data')}">Your own data</a> shows how.
  </p>`;

function shown(content: AnalysisContent, space: BrandWhiteSpace, links: Links): Html {
  const { best, set } = space;
  const none = 'No ZIP code here has a high score and little sold.';
  return html`${choices(content, space, links)} ${countsTable(space)}
    <p class="quiet">
      Demand is strong from a score of ${space.limits.strongFrom}. ZIP codes are served from
      ${
        space.median === null
          ? 'the first sale'
          : `the median of ${set.name}, ${formatRate(set, space.median)}`
      }.
    </p>
    ${
      best.length > 0
        ? html`<div class="zip-table">
            ${records('Best ZIP codes in white space', columnsFor(space), best)}
          </div>`
        : html`<p class="quiet">${none}</p>`
    }
    ${mapLinks(content, space, links)}`;
}

function choices(
  { brand, whiteSpace }: AnalysisContent,
  { set, sets }: BrandWhiteSpace,
  links: Links,
) {
  const query = new URLSearchParams({ vertical: whiteSpace.vertical, data: set.slug });
  const fields = [
    filterSelect(
      { name: 'vertical', label: 'Demand' },
      VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
      query,
    ),
    filterSelect(
      { name: 'data', label: 'Sold' },
      sets.map(({ slug, name }) => ({ value: slug, label: name })),
      query,
    ),
  ];
  return filterForm(brandPath(brand, '/analysis'), new URLSearchParams(), fields, links);
}

function countsTable({ counts, unknown }: BrandWhiteSpace): Html {
  const table = html`<table class="measures outcome white-space-counts">
    ${tableHead('Class', ['In the territory', 'number'], ['Next to it', 'number'])}
    <tbody>
      ${WHITE_SPACE_CLASSES.map(
        (name) =>
          html`<tr>
            <th scope="row"><i class="fill-space-${name}"></i> ${WHITE_SPACE_LABELS[name]}</th>
            <td class="number">${formatCount(counts[name].held)}</td>
            <td class="number">${formatCount(counts[name].around)}</td>
          </tr>`,
      )}
      ${
        unknown.held + unknown.around > 0 &&
        html`<tr>
          <th scope="row">Not enough data</th>
          <td class="number">${formatCount(unknown.held)}</td>
          <td class="number">${formatCount(unknown.around)}</td>
        </tr>`
      }
    </tbody>
  </table>`;
  return wideTable('ZIP codes by demand and sales', table);
}

const columnsFor = (space: BrandWhiteSpace): Column<WhiteSpaceZip>[] => [
  { heading: 'ZIP code', cell: ({ zip }) => zip },
  { heading: 'Place', cell: ({ city, state }) => placeName(city, state) },
  { heading: 'Where', cell: whereOf },
  ...distanceColumns(space),
  { heading: 'Why', cell: (zip) => reasonOf(zip, space) },
];

function whereOf({ isHeld, heldBy }: WhiteSpaceZip): string {
  const others = heldBy.map(({ name }) => name).join(', ');
  const where = isHeld ? 'In the territory' : 'Next to it';
  return others === '' ? where : `${where}, held by ${others}`;
}

/** Only those that are known */
const distanceColumns = (space: BrandWhiteSpace): Column<WhiteSpaceZip>[] =>
  DISTANCE_FIELDS.filter((field) => space.best.some((zip) => zip[field] !== null)).map((field) => ({
    heading: DISTANCE_LABELS[field].replace(/^m/, 'M'),
    cell: (zip) => (zip[field] === null ? '' : zip[field].toFixed(1)),
  }));

/** `Score 91; 0.4 per 1,000 owner households; the median is 2.1` */
function reasonOf({ score, rate }: WhiteSpaceZip, space: BrandWhiteSpace): string {
  const { set, median } = space;
  const compared = median === null ? '' : `; the median is ${formatAmount(set, median)}`;
  return `Score ${score}; ${formatRate(set, rate)}${compared}`;
}

function mapLinks(
  { brand, whiteSpace, refusal }: AnalysisContent,
  { set, limits, median, additions }: BrandWhiteSpace,
  links: Links,
): Html {
  const served = median === null ? null : limits.servedFrom;
  const at = (zips: readonly string[]) =>
    workspaceLink(
      {
        brand: brand.slug,
        zips,
        colorBy: scoreOf(whiteSpace.vertical),
        whiteSpace: { data: set.slug, strongFrom: limits.strongFrom, servedFrom: served },
      },
      links,
    );
  const selected = additions.slice(0, MAX_ZIPS_IN_LINK);
  return html`<p class="actions">
    <a class="button" href="${at([])}">White space on the map</a>
    ${
      refusal === undefined &&
      selected.length > 0 &&
      html`<a href="${at(selected)}"
        >Select the ${pluralize(selected.length, 'ZIP code')} next to the territory on the map</a
      >`
    }
  </p>`;
}
