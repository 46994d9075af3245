/** A brand's territory: the map, how it stands, and the table of its ZIPs. */
import type { Balance } from '../../../../territory/balance.ts';
import type { BrandZip, BrandZipFilter } from '../../../../territory/brand-zips.ts';
import type { Health } from '../../../../territory/health.ts';
import type { Bbox } from '../../../../spatial/bbox.ts';
import type { MapArea } from '../../../../territory/map-zips.ts';
import type { Removal } from '../../../../territory/removals.ts';
import type { Shape } from '../../../../territory/shape.ts';
import type { Page } from '../../../../paging.ts';
import { counted } from '../../../../words.ts';
import { count } from '../../../format.ts';
import type { FormState } from '../../../form-state.ts';
import { wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { ADD_FORMS, hindranceNotice, radiusForm } from './add/view.ts';
import { brandPageOf, brandPath, type BrandPage } from './frame.ts';
import { undoForm } from './history/view.ts';
import { shapeSection } from './shape.ts';
import { tableSection } from './table.ts';
import { territoryFrame, type MapGround } from '../../map/view.ts';

export interface BrandContent extends BrandPage {
  form: FormState;
  health: Health;
  /** Null: it holds no ZIP that has a boundary */
  shape: Shape | null;
  /** Of the organisation's brands by households; null: there is no other */
  balance: Balance<string> | null;
  page: Page<BrandZip>;
  filter: BrandZipFilter;
  /** Of the page that is shown; left out: the first */
  cursor: string | undefined;
  /** USPS codes of the states that it is in */
  states: readonly string[];
  map: MapGround & { areas: readonly MapArea[] };
  /** Done just now; null: none */
  removal: Removal | null;
  /** Why nothing can be changed; undefined: it can */
  hindrance: string | undefined;
}

export function brandPage(content: BrandContent, links: Links): string {
  const { brand, form, health, map, hindrance } = content;
  const mayChange = hindrance === undefined;
  const frame = territoryFrame(
    {
      ...map,
      start: startOf(map.bbox, map.areas, health.totals.zips),
      shown: [
        'live',
        'pending',
        'shared',
        'isolated',
        ...(mayChange ? (['selected'] as const) : []),
      ],
      data: links.page(brandPath(brand, '/map.json')),
      ...(health.totals.zips > 0 && {
        picture: links.page(brandPath(brand, '/thumbnail/light.png')),
      }),
    },
    links,
  );
  const main = html`${toast(content, links)} ${wholeProblem(form)} ${counts(health)}
    <section class="map-section" aria-label="Map of the territory">
      ${areas(map.bbox, map.areas, health.totals.zips)} ${frame}
      ${mayChange ? changing(content, links) : hindranceNotice(hindrance)}
    </section>
    ${tableSection(content, links)} ${shapeSection(content, links)}`;
  const page = {
    ...content,
    under: '' as const,
    assets: ['account/brands/script.ts'] as const,
    hasMap: true,
  };
  return brandPageOf({ ...page, main }, links);
}

/** Ways to parts that lie apart: on a map of all, each may be but a dot. */
function areas(bbox: Bbox, all: readonly MapArea[], zips: number): Html | false {
  const button = (label: string, { zips: held, bbox: box }: Omit<MapArea, 'label'>) =>
    html`<button type="button" class="quiet-button" data-bbox="${box.join(' ')}">
      ${label} <span class="quiet">${count(held)}</span>
    </button>`;
  return (
    all.length > 1 &&
    html`<p class="areas" hidden>
      ${button('All', { zips, bbox })} ${all.map(({ label, ...area }) => button(label, area))}
    </p>`
  );
}

/** So many times as wide or high as a part of it, a territory shows little of that part. */
const FAR_APART = 5;

/** What the map begins with: all, or what most of it is, where the rest lies far from that. */
function startOf(bbox: Bbox, [largest]: readonly MapArea[], zips: number): Bbox {
  if (!largest || largest.zips < zips / 2) return bbox;
  const [width, height] = [0, 1].map(
    (axis) => (bbox[axis + 2]! - bbox[axis]!) / (largest.bbox[axis + 2]! - largest.bbox[axis]!),
  );
  return Math.max(width!, height!) < FAR_APART ? bbox : largest.bbox;
}

/** What is selected on the map, and the ways to select more. */
function changing({ brand, form }: BrandContent, links: Links): Html {
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
      <summary>Select by a radius</summary>
      ${radiusForm(brand, form.of(ADD_FORMS.preview), true, links)}
    </details>`;
}

/** Comes first, and stays until it is dismissed: who needs longer to reach it has the time. */
function toast({ brand, removal, hindrance }: BrandContent, links: Links): Html | false {
  if (!removal || removal.undone) return false;
  const { zips } = removal;
  return html`<div class="toast" role="status">
    <p>Removed ${counted(zips.length, 'ZIP code')}${zips.length <= 3 && `: ${zips.join(', ')}`}.</p>
    ${hindrance === undefined && undoForm(brand, removal, links)}
    <a href="${links.page(brandPath(brand, '/history'))}">All removals</a>
    <button type="button" class="quiet-button dismiss" hidden>
      <span aria-hidden="true">✕</span><span class="visually-hidden">Dismiss</span>
    </button>
  </div>`;
}

function counts({ live, pending, shared, isolated, totals }: Health): Html {
  const figures: [string, number, string][] = [
    ['Live', live, 'Approved: the brand works there'],
    ['Pending review', pending, 'Asked for; a reviewer decides'],
    ['Shared', shared, 'Another brand of yours holds them too'],
    ['Isolated', isolated, 'Border no other ZIP of the brand'],
    ['Households', totals.households, 'In all ZIPs that it holds'],
  ];
  return html`<dl class="figures explained">
    ${figures.map(
      ([term, value, meaning]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${count(value)}</dd>
          <dd class="meaning">${meaning}</dd>
        </div>`,
    )}
  </dl>`;
}
