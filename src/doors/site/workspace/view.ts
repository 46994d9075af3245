/**
 * The page of the workspace. It contains the frame of the map, and its script renders the parts that
 * change.
 */
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { htmlDocument } from '../document.ts';
import { FAVICON_PATH } from '../assets.ts';
import { dataBlock, html } from '../html.ts';
import type { Links } from '../links.ts';
import { maplibrePath } from '../maplibre.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import type { MapBase } from '../account/map/view.ts';
import { ZIP_TILES_PATH } from '../account/map/tiles.ts';
import type { WorkspaceConfig } from './browser/page-config.ts';

interface Workspace extends Omit<MapBase, 'withoutBoundary' | 'bbox'> {
  bbox: Bbox;
  config: WorkspaceConfig;
}

export function workspacePage(workspace: Workspace, links: Links): string {
  const { bbox, vintage, zooms, versions, config } = workspace;
  const body = html`<a class="skip" href="#table">Skip to the table of ZIP codes</a>
    <header class="workspace-head">
      <a class="brand" href="${links.page('/account')}">
        <img src="${links.page(FAVICON_PATH)}" alt="" width="24" height="24" />
        <span class="visually-hidden">${SERVICE_NAME}: account</span>
      </a>
      <h1>Map</h1>
      <div id="place"></div>
      <div id="search"></div>
      <div id="tools"></div>
      <nav aria-label="Account">
        <a href="${links.page('/account')}">Overview</a>
        <a href="${links.page('/account/brands')}">Brands</a>
        <a href="${links.page('/account/reviews')}">Review</a>
      </nav>
    </header>
    <main id="main">
      <section
        class="map-frame workspace-map"
        aria-label="Map"
        data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
        data-api="${links.api('')}"
        data-style-version="${versions.style}"
        data-tiles="${links.page(ZIP_TILES_PATH)}?v=${versions.tiles}"
        data-tile-zooms="${zooms.minZoom} ${zooms.maxZoom}"
        data-bbox="${bbox.join(' ')}"
        data-vintage="${vintage}"
      >
        <noscript>
          <p class="failure">
            The map needs JavaScript. Without it, import and remove ZIP codes on the pages of your
            <a href="${links.page('/account/brands')}">brands</a>.
          </p>
        </noscript>
        <div id="map-tools"></div>
        <div class="map"></div>
        <p class="failure" role="status"></p>
      </section>
      <div id="sheet" data-size="low" data-tab="panel">
        <div id="sheet-bar"></div>
        <section id="panel" aria-label="Colors and territories"></section>
        <section id="table" tabindex="-1" aria-label="ZIP codes"></section>
      </div>
      <section id="card" aria-label="ZIP code"></section>
    </main>
    <div id="messages"></div>`;
  const head = html`<title>Map · ${SERVICE_NAME}</title>
    <meta name="robots" content="noindex" />
    ${dataBlock('application/json', config)}`;
  const assets = [
    'workspace/style.css',
    'workspace/propose.css',
    'workspace/edit.css',
    'workspace/white-space.css',
    'workspace/script.tsx',
  ] as const;
  const early = 'workspace/browser/start.ts';
  return htmlDocument({ head, body, kind: 'workspace', early, assets, hasMap: true }, links);
}
