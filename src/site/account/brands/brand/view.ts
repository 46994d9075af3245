/** A brand's territory: its counts, map, ZIP codes, balance, and contiguity. */
import { isWithheld } from '../../../../metering/figures.ts';
import { startingExtent } from '../../../../market/areas.ts';
import { formatCount, pluralize } from '../../../../words.ts';
import { areaButtons } from '../../../area-buttons.ts';
import { wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { ADD_FORMS, radiusForm, reachTitle } from './add/view.ts';
import { refusalNotice } from '../../refusal-notice.ts';
import { withheldNotice } from '../../withheld-notice.ts';
import type { AccountContent } from '../../frame.ts';
import { brandPageOf, brandPath } from './frame.ts';
import type { BrandContent } from './content.ts';
import { undoForm } from './history/view.ts';
import { shapeSection } from './shape.ts';
import { tableSection } from './table.ts';
import { territoryFrame } from '../../map/view.ts';

export function brandPage(content: BrandContent, links: Links): AccountContent {
  const { brand, form, counts, health, map, refusal } = content;
  const zips = counts.live + counts.pending;
  const mayChange = refusal === undefined;
  const frame = territoryFrame(
    {
      ...map,
      start: startingExtent(map.bbox, map.areas),
      shown: [
        'live',
        'pending',
        'shared',
        'isolated',
        ...(mayChange ? (['selected'] as const) : []),
      ],
      data: links.page(brandPath(brand, '/map.json')),
      ...(zips > 0 && {
        picture: links.page(brandPath(brand, '/thumbnail/light.png')),
      }),
    },
    links,
  );
  const main = html`${removalToast(content, links)} ${wholeProblem(form)} ${countsSection(content)}
    ${isWithheld(health) && withheldNotice('Households and balance', health, links)}
    ${zips > 0 && exhibitLink(content, links)}
    <section class="map-section" aria-label="Map of the territory">
      ${workspaceLink(content, links)} ${areaButtons(map.bbox, map.areas, zips)} ${frame}
      ${mayChange ? selectionForms(content, links) : refusalNotice(refusal)}
    </section>
    ${tableSection(content, links)} ${shapeSection(content, links)}`;
  const assets = ['account/brands/brand/script.ts'] as const;
  return brandPageOf({ brand, under: '', assets, hasMap: true, main }, links);
}

/** The ZIP codes selected on the map, and forms to add, remove, or select more. */
function selectionForms({ brand, form, hasDrives }: BrandContent, links: Links): Html {
  const preview = (under: '/add' | '/remove', label: string) =>
    html`<form method="post" action="${links.page(brandPath(brand, under))}" class="inline" hidden>
      <input type="hidden" name="zips" />
      <button class="button">${label} <span class="selected-count"></span> …</button>
    </form>`;
  return html`<div class="selection" hidden>
      <p role="status"></p>
      ${preview('/add', 'Add')} ${preview('/remove', 'Remove')}
      <button type="button" class="quiet-button clear">Clear</button>
    </div>
    <details class="by-radius">
      <summary>${reachTitle('Select by', hasDrives)}</summary>
      ${radiusForm(brand, form.of(ADD_FORMS.preview), { hasMap: true, hasDrives }, links)}
    </details>`;
}

/** First on the page, and shown until dismissed: assistive technology may need time to reach it. */
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

const workspaceLink = ({ brand }: BrandContent, links: Links): Html =>
  html`<p>
    <a href="${links.page(`/account/map?${new URLSearchParams({ brand: brand.slug })}`)}"
      >Open the map</a
    >
    to see scores and all brands together, and to select by lasso, filter, or distance.
  </p>`;

const exhibitLink = ({ brand }: BrandContent, links: Links): Html =>
  html`<p>
    Attach the territory to an agreement as an
    <a href="${links.page(brandPath(brand, '/transfer'))}#exhibit">exhibit (PDF)</a>.
  </p>`;

function countsSection({ counts, health }: BrandContent): Html {
  const { live, pending, shared, isolated } = counts;
  const households = isWithheld(health) ? null : health.totals.households;
  const figures: [string, number | null, string][] = [
    ['Live', live, 'Approved ZIP codes'],
    ['Pending review', pending, 'Requested ZIP codes'],
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
