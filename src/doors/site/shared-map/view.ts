/**
 * The page of a shared map. It has no site header or footer, because it represents its sender. The script
 * reads the ZIP codes from the page's list. The page shows a picture until the map has loaded, or if it
 * can't be loaded.
 */
import type { ShareListing } from '../../../territories/share/listing.ts';
import type { OpenShare } from '../../../territories/share/open-share.ts';
import { shareHeading } from '../../../territories/share/picture.ts';
import { startingExtent } from '../../../data/market/areas.ts';
import { SHARE_ZOOMS } from '../../../territories/share/tiles.ts';
import { sharePagePath } from '../../../territories/share/token.ts';
import { areaButtons } from '../area-buttons.ts';
import { htmlDocument } from '../document.ts';
import { html, type Html } from '../html.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import type { Links, MapSize } from '../links.ts';
import { maplibrePath } from '../maplibre.ts';
import { dayTag } from '../parts.ts';
import { zipList } from './zip-list.ts';
import { SHARED_STATUSES } from '../../../territories/share/shared-zip.ts';
import { formatCount, joinWithAnd, notDrawn, ZIP_STATUS_LABELS } from '../../../base/text/words.ts';

export interface SharedMap {
  /** Token or short code, as in the address */
  token: string;
  share: Pick<OpenShare, 'meta' | 'brand' | 'places'>;
  /** The logo and the accent color of the brand */
  mark: Html | null;
  listing: ShareListing;
  /** Whether it's shown in a frame of another page, with only the map and its legend */
  embedded: boolean;
  /** Version of the basemap's style */
  styleVersion: string;
}

export function sharedMapPage(map: SharedMap, links: Links): string {
  const { embedded } = map;
  const head = html`<title>${fullTitle(map)}</title> ${NOT_FOUND_BY_SEARCH}
    ${previewTags(map, links)}`;
  const body = embedded ? embeddedBody(map, links) : wholeBody(map, links);
  const assets = ['shared-map/style.css', 'shared-map/script.ts'] as const;
  return htmlDocument({ head, body, kind: kindOf(embedded), assets, hasMap: true }, links);
}

/** The same page for unknown, revoked, and expired links, so that it doesn't reveal the cause. */
export function closedMapPage(reason: string, embedded: boolean, links: Links): string {
  const head = html`<title>This map is not shared · ${SERVICE_NAME}</title> ${NOT_FOUND_BY_SEARCH}`;
  const body = html`<main class="closed">
    <h1>This map is not shared</h1>
    <p class="lead">${reason}</p>
    ${!embedded && html`<p><a href="${links.page('/')}">${SERVICE_NAME}</a></p>`}
  </main>`;
  return htmlDocument(
    { head, body, kind: kindOf(embedded), assets: ['shared-map/style.css'] },
    links,
  );
}

export const NOT_FOUND_BY_SEARCH = html`<meta name="robots" content="noindex" />`;

const kindOf = (embedded: boolean) => (embedded ? 'shared embedded' : 'shared');

function wholeBody(map: SharedMap, links: Links): Html {
  const { share, listing, mark } = map;
  const { title, subtitle } = shareHeading(share);
  return html`<a class="skip" href="#zips">Skip to the list of ZIP codes</a>
    <main>
      <header class="about">
        ${mark}
        <h1>${title}</h1>
        ${subtitle !== null && html`<p class="subtitle">${subtitle}</p>`}
        <p class="extent">${extentOf(listing)}</p>
        ${undrawn(listing)} ${legend(listing)}
        ${areaButtons(listing.bbox, listing.areas, listing.zips)}
        <form class="find" hidden>
          <label for="zip">Is your ZIP code included?</label>
          <div>
            <input
              id="zip"
              name="zip"
              inputmode="numeric"
              autocomplete="postal-code"
              pattern="[0-9]{5}"
              maxlength="5"
              placeholder="${firstZip(listing)}"
              required
            />
            <button class="button">Find</button>
          </div>
          <output for="zip"></output>
        </form>
        ${placeList(map)}
      </header>
      ${mapSection(map, links)} ${placeList(map)}
      <section id="zips" class="zips" tabindex="-1" aria-labelledby="zips-title">
        <h2 id="zips-title">ZIP codes</h2>
        ${zipList(map, links)}
      </section>
      ${colophon(map, links)}
    </main>`;
}

function embeddedBody(map: SharedMap, links: Links): Html {
  const { share, listing, token, mark } = map;
  const { title, subtitle } = shareHeading(share);
  return html`<main>
    ${mapSection(map, links)}
    <header class="about">
      ${mark}
      <h1>${title}</h1>
      ${subtitle !== null && html`<p class="subtitle">${subtitle}</p>`} ${legend(listing)}
      ${undrawn(listing)} ${areaButtons(listing.bbox, listing.areas, listing.zips)}
      <a href="${links.page(sharePagePath(token))}" target="_blank" rel="noopener noreferrer">
        Open the map
      </a>
    </header>
    ${embeddedList(map, links)}
    <div class="visually-hidden">${placeList(map)}</div>
  </main>`;
}

/** The places on the map: how customers reach them */
const placeList = ({ share: { places } }: SharedMap): Html | false =>
  places.length > 0 &&
  html`<section class="shared-places" aria-labelledby="places-title">
    <h2 id="places-title">${places.length === 1 ? 'Place' : 'Places'}</h2>
    <ul>
      ${places.map(
        ({ name, address, phone, url, hours }) =>
          html`<li>
            <b
              >${url === null ? name : html`<a href="${url}" rel="noopener noreferrer">${name}</a>`}</b
            >
            ${address !== null && html`<span>${address}</span>`}
            ${phone !== null && html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`}
            ${hours !== null && html`<span class="quiet">${hours}</span>`}
          </li>`,
      )}
    </ul>
  </section>`;

/** The list for screen readers, and for the map's script. */
const embeddedList = (map: SharedMap, links: Links): Html =>
  map.listing.folded
    ? html`<p class="visually-hidden">${extentOf(map.listing)}</p>
        <section hidden>${zipList(map, links)}</section>`
    : html`<section class="visually-hidden" aria-label="ZIP codes">
        ${zipList(map, links)}
      </section>`;

export function fullTitle({ share }: Pick<SharedMap, 'share'>): string {
  const { title } = shareHeading(share);
  const { brandName } = share.meta;
  return brandName === null || brandName === title ? title : `${title} · ${brandName}`;
}

/** `150 ZIP codes in Texas and Oklahoma` */
function extentOf({ zips, states }: ShareListing): string {
  if (zips === 0) return 'No ZIP codes yet';
  const names = states.filter(({ usps }) => usps !== null).map(({ name }) => name);
  const where =
    names.length === 0
      ? ''
      : ` in ${names.length > 4 ? `${names.length} states` : joinWithAnd(names)}`;
  return `${formatCount(zips)} ZIP ${zips === 1 ? 'code' : 'codes'}${where}`;
}

const undrawn = ({ withoutBoundary }: ShareListing): Html | false =>
  withoutBoundary > 0 && html`<p class="extent">${notDrawn(withoutBoundary)}</p>`;

const firstZip = ({ states }: ShareListing) => states[0]?.places[0]?.zips[0]?.zip ?? '75201';

export function legend(listing: ShareListing): Html | false {
  const shown = SHARED_STATUSES.filter((status) => listing[status] > 0);
  return (
    shown.length > 0 &&
    html`<ul class="statuses" aria-label="Legend">
      ${shown.map(
        (status) =>
          html`<li class="${status}">
            <i></i>${ZIP_STATUS_LABELS[status]}
            <span class="quiet">${formatCount(listing[status])}</span>
          </li>`,
      )}
    </ul>`
  );
}

function mapSection(map: SharedMap, links: Links): Html {
  const { token, share, listing, embedded, styleVersion } = map;
  const { bbox, areas, counties, tiled, vintage } = listing;
  const shared = links.api(`/shared/${encodeURIComponent(token)}`);
  const picture = (size: MapSize, more = '') => `${shared}/map.png?size=${size}${more}`;
  const alt = `Map of ${shareHeading(share).title}: ${extentOf(listing)}`;
  return html`<section
    class="map-frame"
    aria-label="Map"
    data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
    data-api="${links.api('')}"
    data-style-version="${styleVersion}"
    data-shared="${shared}"
    data-bbox="${bbox.join(' ')}"
    data-start="${startingExtent(bbox, areas).join(' ')}"
    data-counties="${counties.join(' ')}"
    data-vintage="${vintage}"
    ${tiled && html`data-tile-zooms="${SHARE_ZOOMS.minZoom} ${SHARE_ZOOMS.maxZoom}"`}
    ${embedded && html`data-embedded`}
    ${share.places.length > 0 && html`data-places="${JSON.stringify(share.places)}"`}
  >
    <picture class="first-paint">
      <source
        media="(max-width: 600px) and (prefers-color-scheme: dark)"
        srcset="${picture('400x400', '&style=dark')}"
      />
      <source media="(max-width: 600px)" srcset="${picture('400x400')}" />
      <source media="(prefers-color-scheme: dark)" srcset="${picture('600x315', '&style=dark')}" />
      <img src="${picture('600x315')}" width="600" height="315" alt="" fetchpriority="high" />
    </picture>
    <noscript>
      <picture>
        <source
          media="(prefers-color-scheme: dark)"
          srcset="${picture('1200x800', '&style=dark')}"
        />
        <img class="picture" src="${picture('1200x800')}" width="1200" height="800" alt="${alt}" />
      </picture>
    </noscript>
    <div class="map"></div>
    <p class="failure" role="status"></p>
    ${
      !embedded &&
      html`<img
        class="printed"
        src="${picture('1200x800', '&ratio=2')}"
        width="1200"
        height="800"
        alt="${alt}"
        loading="lazy"
      />`
    }
  </section>`;
}

/** The sender, the expiration, and the vintage of the boundaries. */
function colophon({ share, listing }: SharedMap, links: Links): Html {
  const { createdByName, createdAt, expiresAt, frozenAt, hideBranding } = share.meta;
  const by = createdByName === null ? '' : ` by ${createdByName}`;
  return html`<footer class="colophon">
    <p>
      Shared${by} on ${dayTag(createdAt)}. Expires on ${dayTag(expiresAt)}.
      ${
        frozenAt === null
          ? 'Shows the current territory.'
          : html`Shows the territory as it was on ${dayTag(frozenAt)}.`
      }
    </p>
    ${listing.vintage !== '' && html`<p>Boundaries: ${listing.vintage}.</p>`}
    <p class="actions"><button type="button" class="print" hidden>Print or save as PDF</button></p>
    ${
      !hideBranding &&
      html`<p class="maker">
        Made with <a href="${links.page('/')}" rel="noreferrer">${SERVICE_NAME}</a>
      </p>`
    }
  </footer>`;
}

/** Tags for link previews in messengers and social media. */
function previewTags(map: SharedMap, links: Links): Html {
  const { token, share, listing } = map;
  const { title } = shareHeading(share);
  const { brandName } = share.meta;
  const image = links.absoluteApi(`/shared/${encodeURIComponent(token)}/map.png?size=1200x630`);
  const statuses = SHARED_STATUSES.filter((status) => listing[status] > 0).map(
    (status) => `${formatCount(listing[status])} ${ZIP_STATUS_LABELS[status].toLowerCase()}`,
  );
  const description = [extentOf(listing), joinWithAnd(statuses)].filter(Boolean).join(': ');
  return html`<meta name="description" content="${description}" />
    <link
      rel="alternate"
      type="application/json+oembed"
      href="${links.absoluteApi(`/oembed?${new URLSearchParams({ url: links.absolute(sharePagePath(token)) })}`)}"
      title="${title}"
    />
    <meta property="og:type" content="website" />
    <meta property="og:url" content="${links.absolute(sharePagePath(token))}" />
    ${brandName !== null && html`<meta property="og:site_name" content="${brandName}" />`}
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${image}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="Map of ${title}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:title" content="${title}" />
    <meta name="twitter:description" content="${description}" />
    <meta name="twitter:image" content="${image}" />`;
}
