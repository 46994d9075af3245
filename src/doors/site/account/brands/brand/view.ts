/** A brand's territory: its counts, picture, and ZIP codes. */
import { isWithheld } from '../../../../../people/metering/figures.ts';
import { ADD_FROM, KEEP_FROM } from '../../../../../territories/brands/compare.ts';
import { formatCount, notDrawn, pluralize } from '../../../../../base/text/words.ts';
import { wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { refusalNotice } from '../../refusal-notice.ts';
import { withheldNotice } from '../../withheld-notice.ts';
import type { AccountContent } from '../../frame.ts';
import { boundarySection } from './boundaries.ts';
import { censusLine } from './analysis/census.ts';
import { brandPageOf, brandPath } from './frame.ts';
import type { BrandContent } from './content.ts';
import { undoForm } from './history/view.ts';
import { pictureUnder, territoryPicture } from '../../map/status-picture.ts';
import { dayForm, onDay, pastNotice } from '../../over-time/day-form.ts';
import { tableSection } from './table.ts';
import type { WorkspaceLink } from '../../../workspace/browser/asked.ts';
import {
  additionsFilter,
  cutsFilter,
  furtherFilter,
  workspaceLink,
} from '../../../workspace/link.ts';

export function brandPage(content: BrandContent, links: Links): AccountContent {
  const { brand, form, health } = content;
  const path = brandPath(brand);
  const main = html`${removalToast(content, links)} ${wholeProblem(form)}
  ${pastNotice(path, content.shownDay, links)} ${countsSection(content)}
  ${isWithheld(health) && withheldNotice('Households', health, links)}
  ${boundarySection(brand, content.boundaries, links)} ${censusLine(brand, content.census, links)}
  ${mapSection(content, links)} ${tableSection(content, links)}`;
  const assets = ['account/brands/brand/script.ts'] as const;
  return brandPageOf({ brand, under: '', assets, main }, links);
}

/** Suggestions at a greater distance, as far as most crews drive to a job. */
const FURTHER_MILES = 15;

/** A still picture of the territory, and ways to work on it in the workspace. */
function mapSection(content: BrandContent, links: Links): Html {
  const { brand, counts, withoutBoundary, refusal, shownDay } = content;
  const isToday = shownDay.words === null;
  const at = (link: Partial<WorkspaceLink> = {}) =>
    workspaceLink({ brand: brand.slug, ...link }, links);
  const suggestions = html`To add:
    <a href="${at({ filter: additionsFilter(brand) })}"
      >neighboring ZIP codes that score ${ADD_FROM} or more</a
    >, or
    <a href="${at({ filter: furtherFilter(brand, FURTHER_MILES) })}"
      >others within ${FURTHER_MILES} miles</a
    >. To remove:
    <a href="${at({ filter: cutsFilter(brand) })}">its ZIP codes that score below ${KEEP_FROM}</a
    >.`;
  const isEmpty = counts.live + counts.pending === 0;
  return html`<section class="map-section" aria-label="Map of the territory">
    ${!isEmpty && html`<a href="${at()}">${picture(content, links)}</a>`}
    ${withoutBoundary > 0 && html`<p class="quiet">${notDrawn(withoutBoundary)}</p>`}
    <p class="actions">
      <a class="button" href="${at()}"
        >${refusal === undefined ? 'Edit on the map' : 'Open the map'}</a
      >
      ${
        refusal === undefined &&
        html`<a href="${links.page(brandPath(brand, '/transfer'))}#import"
          >Add a list of ZIP codes</a
        >`
      }
      ${!isEmpty && passOn(content, links)}
    </p>
    ${refusalNotice(refusal)} ${!isEmpty && isToday && html`<p>${suggestions}</p>`}
    ${dayForm(brandPath(brand), shownDay, links)}
  </section>`;
}

function picture({ brand, counts: { live, pending }, shownDay }: BrandContent, links: Links): Html {
  const alt =
    `Map of the territory: ${formatCount(live)} live ZIP codes ` +
    `and ${formatCount(pending)} pending review`;
  return territoryPicture(
    (name, style) => onDay(links.page(brandPath(brand, pictureUnder(name, style))), shownDay),
    alt,
  );
}

/**
 * First on the page, and shown until dismissed, because users of assistive technology may need time to
 * reach it.
 */
function removalToast({ brand, removal, refusal }: BrandContent, links: Links): Html | false {
  if (!removal || removal.undone) return false;
  const { zips } = removal;
  return html`<div class="toast" role="status">
    <p>
      Removed ${pluralize(zips.length, 'ZIP code')}${zips.length <= 3 && `: ${zips.join(', ')}`}.
    </p>
    ${refusal === undefined && undoForm(brand, removal, links)}
    <a href="${links.page(brandPath(brand, '/history'))}">All removals</a>
    <button type="button" class="quiet-button dismiss" hidden>
      <span aria-hidden="true">✕</span><span class="visually-hidden">Dismiss</span>
    </button>
  </div>`;
}

/** Ways to give the territory to others */
const passOn = ({ brand, refusal, shownDay: { asOf } }: BrandContent, links: Links): Html =>
  html`${
      refusal === undefined &&
      html`<a href="${links.page('/account/shares')}?brand=${brand.slug}#mint">Share the map</a>`
    }
    <a
      href="${links.page(brandPath(brand, '/transfer'))}?format=pdf${asOf !== undefined && html`&amp;asOf=${asOf}`}#export"
      >Exhibit for an agreement (PDF)</a
    >
    <a href="${onDay(links.page(brandPath(brand, '/transfer')), { asOf })}#export">Export</a>`;

function countsSection({ counts, plannedCount, health }: BrandContent): Html {
  const { live, pending, shared, isolated } = counts;
  const households = isWithheld(health) ? null : health.totals.households;
  const figures: (readonly [string, number | null, string])[] = [
    ['Live', live, 'Approved ZIP codes'],
    ['Pending review', pending - plannedCount, 'Requested ZIP codes'],
    ...(plannedCount > 0 ? ([['Planned', plannedCount, 'Approved for a day']] as const) : []),
    ['Shared', shared, 'Also held by another of your brands'],
    ['Isolated', isolated, 'Not adjacent to another ZIP code of the brand'],
    ['Households', households, 'In all held ZIP codes'],
  ];
  return html`<dl class="figures explained">
    ${figures.map(
      ([term, value, meaning]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${formatCount(value)}</dd>
          <dd class="meaning">${meaning}</dd>
        </div>`,
    )}
  </dl>`;
}
