/** What the census says has changed in a brand's territory. */
import type { FigureChange } from '../../../../../../data/vintages/change.ts';
import { changeText } from '../../../../../../data/vintages/words.ts';
import { FIGURE_TEXTS } from '../../../../../../data/ingest/figure-texts.ts';
import {
  isIncomparable,
  type NoComparison,
  type SubjectChanges,
} from '../../../../../../territories/brands/census/changes.ts';
import { isWithheld, type LimitReason } from '../../../../../../people/metering/figures.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { joinFirst, pluralize } from '../../../../../../base/text/words.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { withheldNotice } from '../../../withheld-notice.ts';
import { brandPath } from '../frame.ts';

/** The changes, or the reason why there are none */
export type CensusContent = SubjectChanges | NoComparison | LimitReason;

const hasChanges = (census: CensusContent): census is SubjectChanges =>
  !isIncomparable(census) && !isWithheld(census) && census.total.some(isKnown);

const isKnown = ({ change }: FigureChange) => change !== null;

/** The figures of the line on a brand's main page */
const MAIN_FIGURES = ['householdsTotal', 'ownerOccupiedPct'];

/** Returns one line: `Since 2013-2017: households +4.2% (±1.1), owner share −0.8 points (±1.4, no clear change)`. */
export function censusLine(brand: Brand, census: CensusContent, links: Links): Html | false {
  if (!hasChanges(census)) return false;
  const { comparison, total } = census;
  const texts = total
    .filter((change) => MAIN_FIGURES.includes(change.figure) && isKnown(change))
    .map((change) => `${FIGURE_TEXTS[change.figure].label.toLowerCase()} ${changeText(change)}`);
  if (texts.length === 0) return false;
  return html`<p class="census-line">
    Since ${comparison.since - 4}–${comparison.since}: ${texts.join(', ')}.
    <a href="${links.page(brandPath(brand, '/analysis'))}#census">What the census says</a>
  </p>`;
}

/** All figures that can be added up, with their margins */
export function censusSection(brand: Brand, census: CensusContent, links: Links): Html {
  return html`<section id="census" aria-labelledby="census-title">
    <h2 id="census-title">What the census says has changed</h2>
    ${content(brand, census, links)}
  </section>`;
}

function content(brand: Brand, census: CensusContent, links: Links): Html {
  if (isWithheld(census)) return withheldNotice('Changes', census, links);
  if (isIncomparable(census)) return html`<p class="quiet">${census.incomparable}</p>`;
  if (!hasChanges(census)) {
    return html`<p class="quiet">None of its ZIP codes has figures in both periods.</p>`;
  }
  const { comparison, total, areaChanged, zipCount } = census;
  const map = `${links.page('/account/map')}?${new URLSearchParams({ brand: brand.slug, color: 'change:households' })}`;
  return html`<p>
      The live ZIP codes in ${comparison.periods}, with margins of error at the 90% level.
      ${comparison.synthetic && 'These figures are sample data.'}
    </p>
    <table class="census-changes">
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col" class="number">Then</th>
          <th scope="col" class="number">Now</th>
          <th scope="col" class="number">Change</th>
        </tr>
      </thead>
      <tbody>
        ${total.filter(isKnown).map(row)}
      </tbody>
    </table>
    ${
      areaChanged.length > 0 &&
      html`<p>
        The area of ${pluralize(areaChanged.length, 'ZIP code')} changed between the censuses of
        2010 and 2020: ${joinFirst(areaChanged)}. Their earlier counts are those of the same land,
        as far as the Census Bureau’s relationship file tells.
      </p>`
    }
    <p class="actions">
      <a href="${map}">See the ${zipCount === 1 ? 'ZIP code' : 'ZIP codes'} on the map</a>
      <a href="${links.page('/docs/census')}">How changes are computed</a>
    </p>`;
}

function row(change: FigureChange): Html {
  const { label, format } = FIGURE_TEXTS[change.figure];
  return html`<tr>
    <th scope="row">${label}</th>
    <td class="number">${format(rounded(change.from))}</td>
    <td class="number">${format(rounded(change.to))}</td>
    <td class="number ${!change.isClear && 'quiet'}">${changeText(change)}</td>
  </tr>`;
}

const rounded = (value: number | null) => value && Math.round(10 * value) / 10;
