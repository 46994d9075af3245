/**
 * The page of a shared plan: a map, the search for a ZIP code, and the territories. Without scripts, a
 * picture replaces the map. The page has no site header, because it represents its sender.
 */
import { loadStyle } from '../../../data/basemap/styles.ts';
import { swatchOf } from '../../../maps/cartography/categories.ts';
import { patternLines } from '../../../maps/cartography/territory-look.ts';
import type { SavedPlan } from '../../../territories/plans/plans.ts';
import { planPagePath } from '../../../territories/plans/shares.ts';
import type { TerritoryFacts } from '../../../territories/share/tileset.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import { htmlDocument } from '../document.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';
import { dayTag } from '../parts.ts';
import { pictureFigure, type PictureSize } from '../map-figure.ts';
import { maplibrePath } from '../maplibre.ts';
import { bboxText } from '../score-map-frame.ts';
import { NOT_FOUND_BY_SEARCH } from '../shared-map/view.ts';

interface SharedPlan {
  /** Token or short code, as in the address */
  token: string;
  plan: Pick<SavedPlan, 'name' | 'market' | 'zips' | 'territories'>;
  expiresAt: Date;
  /** The ZIP code that the reader searched for */
  zip: string | undefined;
  facts: Pick<TerritoryFacts, 'bounds' | 'sources'>;
}

export function sharedPlanPage(shared: SharedPlan, links: Links): string {
  const { plan, token } = shared;
  const api = apiPath(token);
  const vintage = shared.facts.sources.map((source) => source.vintage).join(', ');
  const description = `${extentOf(plan)} in ${territoriesOf(plan)}.`;
  const head = html`<title>${plan.name}</title> ${NOT_FOUND_BY_SEARCH}
    <meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${plan.name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${links.absoluteApi(`${api}/map.png`)}" />
    <meta name="twitter:card" content="summary_large_image" />`;
  const body = html`<a class="skip" href="#territories">Skip to the territories</a>
    <main>
      <header>
        <h1>${plan.name}</h1>
        <p class="lead">${plan.market}: ${description}</p>
      </header>
      ${map(shared, links)} ${search(shared, links)}
      <section id="territories" tabindex="-1" aria-labelledby="territories-title">
        <h2 id="territories-title">Territories</h2>
        ${territoryList(plan)}
      </section>
      <footer>
        <p>
          Shows the plan as it is now. This link expires on ${dayTag(shared.expiresAt)}.
          <a href="${links.api(`${api}/boundaries.geojson`)}" download="plan.geojson"
            >Download as GeoJSON</a
          >, or open its <a href="${links.api(`${api}/style.json`)}">style with vector tiles</a> in
          QGIS or MapLibre GL.
        </p>
        ${vintage !== '' && html`<p>Boundaries: ${vintage}.</p>`}
        <p>Made with <a href="${links.page('/')}" rel="noreferrer">${SERVICE_NAME}</a></p>
      </footer>
    </main>`;
  const assets = ['shared-plan/style.css', 'shared-plan/script.ts'] as const;
  return htmlDocument({ head, body, kind: 'shared-plan', assets, hasMap: 'later' }, links);
}

const apiPath = (token: string) => `/shared-plans/${encodeURIComponent(token)}`;

/** The same page for unknown, revoked, and expired links, so that it doesn't reveal the cause. */
export function closedPlanPage(reason: string, links: Links): string {
  const head = html`<title>This plan is not shared · ${SERVICE_NAME}</title>
    ${NOT_FOUND_BY_SEARCH}`;
  const body = html`<main>
    <h1>This plan is not shared</h1>
    <p class="lead">${reason}</p>
    <p><a href="${links.page('/')}">${SERVICE_NAME}</a></p>
  </main>`;
  return htmlDocument(
    { head, body, kind: 'shared-plan', assets: ['shared-plan/style.css'] },
    links,
  );
}

type Plan = SharedPlan['plan'];

const extentOf = ({ zips }: Plan) => pluralize(zips.length, 'ZIP code');
const territoriesOf = ({ territories: { length } }: Plan) =>
  `${formatCount(length)} ${length === 1 ? 'territory' : 'territories'}`;

function map({ plan, token, facts }: SharedPlan, links: Links): Html {
  const api = links.api(apiPath(token));
  const picture = ({ size, style = 'light', ratio = 1 }: PictureSize) =>
    `${api}/map.png?size=${size}&style=${style}&ratio=${ratio}`;
  const alt = `Map of ${plan.name}: ${territoriesOf(plan)} with their names`;
  return html`<div class="live-map">
    <div
      class="map-frame"
      data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
      data-plan="${api}"
      data-bbox="${bboxText(facts.bounds)}"
    >
      <div class="map"></div>
      ${pictureFigure({ alt, first: true }, picture)}
    </div>
  </div>`;
}

function search({ plan, token, zip }: SharedPlan, links: Links): Html {
  return html`<form class="search" action="${links.page(planPagePath(token))}#answer">
    <label for="zip">Which territory is my ZIP code in?</label>
    <div>
      <input
        id="zip"
        name="zip"
        value="${zip ?? ''}"
        inputmode="numeric"
        autocomplete="postal-code"
        pattern="[0-9]{5}"
        maxlength="5"
        placeholder="${plan.zips[0] ?? '75201'}"
        required
      />
      <button class="button">Find</button>
    </div>
    <output id="answer" for="zip">${zip !== undefined && answerTo(plan, zip)}</output>
  </form>`;
}

function answerTo({ territories, zips }: Plan, zip: string): Html {
  if (!/^\d{5}$/.test(zip)) return html`Enter a ZIP code of five digits.`;
  const found = territories.find((territory) => territory.zips.includes(zip));
  if (found) return html`${zip} is in <strong>${swatch(found.number)} ${found.name}</strong>.`;
  return zips.includes(zip)
    ? html`${zip} is in this market, but in no territory.`
    : html`${zip} is not in this market.`;
}

function territoryList({ territories, zips }: Plan): Html {
  if (territories.length === 0) return html`<p>The plan has no territories yet.</p>`;
  const assigned = new Set(territories.flatMap((territory) => territory.zips));
  const rest = zips.filter((zip) => !assigned.has(zip));
  return html`<ul class="territories">
    ${territories.map(
      ({ number, name, zips: own }) =>
        html`<li>${zipList(html`${swatch(number)} ${name}`, own)}</li>`,
    )}
    ${rest.length > 0 && html`<li>${zipList(html`Unassigned`, rest)}</li>`}
  </ul>`;
}

const zipList = (name: Html, zips: readonly string[]): Html =>
  html`<details>
    <summary>${name} <span class="quiet">${pluralize(zips.length, 'ZIP code')}</span></summary>
    <p class="zips">${zips.join(' ')}</p>
  </details>`;

/** The color and the pattern on the map. Those of the dark style are similar. */
function swatch(number: number): Html {
  const { color, pattern } = swatchOf(loadStyle('light'), number);
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="${color}" />
    ${pattern !== null && html`<path class="territory-pattern" d="${patternLines(pattern)}" />`}
  </svg>`;
}
